import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { termsFolder } from '#server/ports/search/lance.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { holdParser } from '#server/testing/hold.ts';
import { openUpload } from '#server/testing/open-upload.ts';

let app: TestApp;
let companyId: string;
let token: string;
let client: Client;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const signedUp = await app.signUp();
  companyId = signedUp.company.id;
  token = signedUp.token;
  client = createClient(app.url, token);
});

const remove = (name: string) => client.call('deleteFile', { filePath: `${companyId}/${name}` });
const find = async (query: string) => (await client.call('searchPassages', { query })).passages.map(({ name }) => name);

/** Every file of the data folder that lies below the part, by its path and inode. */
async function filesOnDisk(part = ''): Promise<Set<string>> {
  const root = app.config.dataDir;
  const entries = await readdir(join(root, part), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(await Promise.all(files.map(async (path) => `${relative(root, path)} ${(await stat(path)).ino}`)));
}

const searchFiles = () => filesOnDisk(`search/${termsFolder}/${companyId}.lance`);

/** The rows that are left of the company in each table in which a document leaves any. */
async function rowsLeft(): Promise<Record<string, number>> {
  const tables = ['documents', 'versions', 'blocks', 'chunks', 'uploads', 'citations'];
  const counts = tables.map(async (table) => {
    const { rows } = await app.app.db.asCompany(companyId, (tx) =>
      tx.execute<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`),
    );
    return [table, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
}

describe('after its jobs a deletion has left', () => {
  test('no file, row or search data of before, and everything of the others', async () => {
    const before = await filesOnDisk('files');
    await client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await client.upload('Other.md', Buffer.from('The canteen opens at noon.'));
    await app.idle();
    await client.upload('Secret.md', Buffer.from('The password of the vault is now catfish.'));
    await app.idle();
    const objects = await filesOnDisk('files');
    const searched = await searchFiles();
    expect(objects.size).toBe(before.size + 3);
    expect(searched.size).toBeGreaterThan(0);

    await remove('Secret.md');
    await app.idle();
    expect((await filesOnDisk('files')).difference(before).size).toBe(1);
    expect([...(await searchFiles()).intersection(searched)]).toEqual([]);
    expect(await filesOnDisk('uploads')).toEqual(new Set());
    expect(await filesOnDisk('temp')).toEqual(new Set());
    expect(await rowsLeft()).toEqual({ documents: 1, versions: 1, blocks: 1, chunks: 1 });
    expect(await find('When does the canteen open?')).toEqual(['Other.md']);
    expect(await find('password of the vault')).toEqual([]);
  });

  test('nothing, of the last document', async () => {
    await client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await app.idle();
    const searched = await searchFiles();
    await remove('Secret.md');
    await app.idle();
    expect(await rowsLeft()).toEqual({});
    expect([...(await searchFiles()).intersection(searched)]).toEqual([]);
    await client.upload('New.md', Buffer.from('The canteen opens at noon.'));
    await app.idle();
    expect(await find('canteen')).toEqual(['New.md']);
  });

  test('no search data that a process left when it was killed while it wrote', async () => {
    await client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await app.idle();
    // A data file that no version of the table knows of is what a killed writer leaves.
    const left = join(app.config.dataDir, 'search', termsFolder, `${companyId}.lance`, 'data', 'left.lance');
    await writeFile(left, 'swordfish');
    await remove('Secret.md');
    await app.idle();
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  test('no copy that was being read', async () => {
    await holdParser();
    await client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await expect.poll(async () => (await filesOnDisk('temp')).size).toBe(1);
    await remove('Secret.md');
    await app.idle();
    await expect.poll(() => filesOnDisk('temp')).toEqual(new Set());
    expect(await rowsLeft()).toEqual({});
  });

  test('the search table whole where many are deleted and added at once', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `Plan ${i}.md`);
    for (const name of names) await client.upload(name, Buffer.from(`The budget of ${name} is large.`));
    await app.idle();
    const added = ['Plan A.md', 'Plan B.md'];
    await Promise.all([
      ...names.map(remove),
      ...added.map((name) => client.upload(name, Buffer.from(`The budget of ${name} is large.`))),
    ]);
    await app.idle();
    expect((await find('Which budget is large?')).sort()).toEqual(added);
    expect(await rowsLeft()).toEqual({ documents: 2, versions: 2, blocks: 2, chunks: 2 });
  });
});

describe('an upload that is given up has left nothing,', () => {
  const withdraw = (id: string) =>
    app.fetch(`/v1/uploads/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' },
    });

  test('begun or half sent', async () => {
    const before = await filesOnDisk('uploads');
    const upload = await openUpload(app.url, token, 'Secret.md', 40);
    await upload.send(0, Buffer.from('The password of'));
    expect((await filesOnDisk('uploads')).size).toBe(before.size + 1);
    expect((await withdraw(upload.id)).status).toBe(204);
    expect(await filesOnDisk('uploads')).toEqual(before);
    expect(await rowsLeft()).toEqual({});
    expect((await upload.send(15, Buffer.from(' the vault is swordfish.'))).status).toBe(404);
  });
});
