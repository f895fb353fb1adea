import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect } from 'vitest';
import { sql } from '#server/db/drizzle.ts';
import { termsFolder } from '#server/ports/search/lance.ts';
import { type Company, test } from '#server/testing/company.ts';
import { holdParser } from '#server/testing/hold.ts';
import { openUpload } from '#server/testing/open-upload.ts';

const remove = (company: Company, name: string) =>
  company.client.call('deleteFile', { filePath: `${company.id}/${name}` });
const find = async (company: Company, query: string) =>
  (await company.client.call('searchPassages', { query })).passages.map(({ name }) => name);

/** Every file of the data folder that lies below the part, by its path and inode. */
async function filesOnDisk(company: Company, part = ''): Promise<Set<string>> {
  const root = company.app.config.dataDir;
  const entries = await readdir(join(root, part), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(await Promise.all(files.map(async (path) => `${relative(root, path)} ${(await stat(path)).ino}`)));
}

/** Wherever they lie: a table that is made anew has another name, and is made in another place. */
async function searchFiles(company: Company): Promise<Set<string>> {
  const all = await filesOnDisk(company, `search/${termsFolder}`);
  return new Set([...all].filter((file) => file.includes(company.id)));
}

/** The rows that are left of the company in each table in which a document leaves any. */
async function rowsLeft(company: Company): Promise<Record<string, number>> {
  const tables = ['documents', 'versions', 'blocks', 'chunks', 'uploads', 'citations'];
  const counts = tables.map(async (table) => {
    const { rows } = await company.app.app.db.asCompany(company.id, (tx) =>
      tx.execute<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`),
    );
    return [table, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
}

describe('after its jobs a deletion has left', () => {
  test('no file, row or search data of before, and everything of the others', async ({ app, company }) => {
    const before = await filesOnDisk(company, 'files');
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await company.client.upload('Other.md', Buffer.from('The canteen opens at noon.'));
    await app.idle();
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is now catfish.'));
    await app.idle();
    const objects = await filesOnDisk(company, 'files');
    const searched = await searchFiles(company);
    expect(objects.size).toBe(before.size + 3);
    expect(searched.size).toBeGreaterThan(0);

    await remove(company, 'Secret.md');
    await app.idle();
    expect((await filesOnDisk(company, 'files')).difference(before).size).toBe(1);
    expect([...(await searchFiles(company)).intersection(searched)]).toEqual([]);
    expect(await filesOnDisk(company, 'uploads')).toEqual(new Set());
    expect(await filesOnDisk(company, 'temp')).toEqual(new Set());
    expect(await rowsLeft(company)).toEqual({ documents: 1, versions: 1, blocks: 1, chunks: 1 });
    expect(await find(company, 'When does the canteen open?')).toEqual(['Other.md']);
    expect(await find(company, 'password of the vault')).toEqual([]);
  });

  test('nothing, of the last document', async ({ app, company }) => {
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await app.idle();
    const searched = await searchFiles(company);
    await remove(company, 'Secret.md');
    await app.idle();
    expect(await rowsLeft(company)).toEqual({});
    expect([...(await searchFiles(company)).intersection(searched)]).toEqual([]);
    await company.client.upload('New.md', Buffer.from('The canteen opens at noon.'));
    await app.idle();
    expect(await find(company, 'canteen')).toEqual(['New.md']);
  });

  test('an index that is brought up to date again: what is written anew has none of its own', async ({
    app,
    company,
  }) => {
    const upkeep = async () => {
      const { rows } = await app.app.db.asSystem((tx) =>
        tx.execute(
          sql`select id from pgboss.job where name = 'optimize-search' and data->>'companyId' = ${company.id}`,
        ),
      );
      return rows.map(({ id }) => id);
    };
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await app.idle();
    const before = await upkeep();
    await remove(company, 'Secret.md');
    await app.idle();
    expect((await upkeep()).filter((id) => !before.includes(id))).toHaveLength(1);
  });

  test('no search data that a process left when it was killed while it wrote', async ({ app, company }) => {
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    await app.idle();
    // A data file that no version of the table knows of is what a killed writer leaves.
    const left = join(app.config.dataDir, 'search', termsFolder, `${company.id}.lance`, 'data', 'left.lance');
    await writeFile(left, 'swordfish');
    await remove(company, 'Secret.md');
    await app.idle();
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  test('no copy that was being read', async ({ app, company }) => {
    const parser = await holdParser();
    await company.client.upload('Secret.md', Buffer.from('The password of the vault is swordfish.'));
    // One that is stopped and has no file would be given that of another test.
    await parser.taken();
    expect((await filesOnDisk(company, 'temp')).size).toBe(1);
    await remove(company, 'Secret.md');
    await app.idle();
    await expect.poll(() => filesOnDisk(company, 'temp')).toEqual(new Set());
    expect(await rowsLeft(company)).toEqual({});
  });

  test('the search table whole where many are deleted and added at once', async ({ app, company }) => {
    const names = Array.from({ length: 6 }, (_, i) => `Plan ${i}.md`);
    for (const name of names) await company.client.upload(name, Buffer.from(`The budget of ${name} is large.`));
    await app.idle();
    const added = ['Plan A.md', 'Plan B.md'];
    await Promise.all([
      ...names.map((name) => remove(company, name)),
      ...added.map((name) => company.client.upload(name, Buffer.from(`The budget of ${name} is large.`))),
    ]);
    await app.idle();
    expect((await find(company, 'Which budget is large?')).sort()).toEqual(added);
    expect(await rowsLeft(company)).toEqual({ documents: 2, versions: 2, blocks: 2, chunks: 2 });
  });
});

describe('an upload that is given up has left nothing,', () => {
  const withdraw = (company: Company, id: string) =>
    company.app.fetch(`/v1/uploads/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${company.token}`, 'Tus-Resumable': '1.0.0' },
    });

  test('begun or half sent', async ({ app, company }) => {
    const before = await filesOnDisk(company, 'uploads');
    const upload = await openUpload(app.url, company.token, 'Secret.md', 40);
    await upload.send(0, Buffer.from('The password of'));
    expect((await filesOnDisk(company, 'uploads')).size).toBe(before.size + 1);
    expect((await withdraw(company, upload.id)).status).toBe(204);
    expect(await filesOnDisk(company, 'uploads')).toEqual(before);
    expect(await rowsLeft(company)).toEqual({});
    expect((await upload.send(15, Buffer.from(' the vault is swordfish.'))).status).toBe(404);
  });
});
