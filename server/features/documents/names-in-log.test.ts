import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { sql } from '#server/db/drizzle.ts';
import { makeZip } from '#server/features/ingestion/fixtures.ts';
import { createLog } from '#server/http/log.ts';
import { startTestApp } from '#server/testing/app.ts';

const marker = 'Zeppelin-4711';
/** Words of a file, which a parser may quote as it fails. */
const words = 'Quetzalcoatl-0815';

test('no name and no words of a document are ever logged, at whatever level and whatever fails', async () => {
  let logged = '';
  const sink = new Writable({
    write(line, _encoding, done) {
      logged += line;
      done();
    },
  });
  const app = await startTestApp({}, { log: createLog('trace', sink) });
  const { company, token } = await app.signUp();
  const client = createClient(app.url, token);
  const mail = `From: a@example.com\r\nSubject: ${words}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/pdf; name="${marker}.pdf"\r\nContent-Disposition: attachment; filename="${marker}.pdf"\r\n\r\n%PDF-1.7 ${words}\r\n--b--\r\n`;
  const files: Record<string, string | Uint8Array> = {
    [`${marker}.txt`]: `The ${words} flies at noon.\n`,
    [`${marker} broken.pdf`]: `%PDF-1.7\n${words}\n`,
    [`${marker} broken.docx`]: makeZip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: `<w:document><${words}` },
    ]),
    [`${marker}.eml`]: mail,
    [`${marker}.exe`]: Buffer.from('MZ\0\0'),
  };
  for (const [name, content] of Object.entries(files)) {
    await client.upload(name, Buffer.from(content)).catch(() => {});
  }
  await app.idle();
  const listed = await app.call('getCompanyFiles', null, { token });
  expect(listed.map(({ state }) => state)).toEqual(expect.arrayContaining(['ready', 'failed']));
  for (const { path, bucket, id } of listed) {
    await app.call('getFileLink', { gsUri: `gs://${bucket}/${path}` }, { token });
    await app.call('setFileTags', { documentId: id, tags: [words] }, { token });
    await app.call('retryFile', { documentId: id }, { token }).catch(() => {});
  }
  await app.call('query', { history: [{ role: 'user', parts: [{ text: `When does ${words} fly?` }] }] }, { token });
  await app.call('getFileLink', { gsUri: `gs://footnote/${company.id}/${marker}` }, { token }).catch(() => {});
  await app.call('deleteFile', { filePath: `${company.id}/${marker}.txt` }, { token });
  await app.idle();
  // With a table gone every statement fails, its parameters at hand.
  await app.app.db.asSystem((tx) => tx.execute(sql`alter table versions rename to gone`));
  await client.upload(`${marker} 2.txt`, Buffer.from(words)).catch(() => {});
  await app.call('deleteFile', { filePath: `${company.id}/${marker}.eml` }, { token }).catch(() => {});
  await app.app.db.asSystem((tx) => tx.execute(sql`alter table gone rename to versions`));
  await app.close();

  expect(logged).toContain('A file could not be read.');
  expect(logged).toContain('a query failed');
  expect(logged).toContain('"call":"getFileLink"');
  for (const secret of [marker, words]) expect(logged.split('\n').filter((line) => line.includes(secret))).toEqual([]);
});
