import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import yauzl from 'yauzl';
import { directoryRecord, endRecords, localHeader, type ZipEntry } from './zip.ts';

const modifiedAt = new Date('2026-11-22T17:00:02Z');

test('entries that are larger, lie further or are more than 32 and 16 bits can say are found by another reader', async () => {
  const text = Buffer.from('The cellar key hangs behind the green door.\n');
  const large = 5_000_000_000;
  const entries: ZipEntry[] = [
    { path: 'documents/large.bin', size: large, storedSize: large, isDeflated: false, crc32: 0, modifiedAt },
    ...Array.from({ length: 66_000 }, (_, i) => {
      const [size, path] = [text.length, `documents/東海 ${i}.txt`];
      return { path, size, storedSize: size, isDeflated: false, crc32: crc32(text), modifiedAt };
    }),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'footnote-zip-'));
  const path = join(folder, 'large.zip');
  const file = await open(path, 'w');
  try {
    // A hole stands for the bytes of the large one.
    let at = 0;
    const directory: Buffer[] = [];
    const behind: Buffer[] = [];
    let begin = 0;
    for (const entry of entries) {
      const header = localHeader(entry);
      directory.push(directoryRecord(entry, at));
      if (entry.size === large) {
        await file.write(header, 0, header.length, 0);
        begin = header.length + large;
      } else behind.push(header, text);
      at += header.length + entry.storedSize;
    }
    const records = Buffer.concat(directory);
    const end = endRecords({ entries: entries.length, offset: at, size: records.length });
    const rest = Buffer.concat([...behind, records, end]);
    await file.write(rest, 0, rest.length, begin);
    const zip = await yauzl.openPromise(path, { strictFileNames: true, autoClose: false });
    expect(zip.entryCount).toBe(entries.length);
    let last: yauzl.Entry | undefined;
    let sum = 0;
    for await (const entry of zip.eachEntry()) {
      sum += entry.uncompressedSize;
      last = entry;
    }
    expect(sum).toBe(large + 66_000 * text.length);
    expect([last?.fileName, last?.getLastModDate({ timezone: 'UTC' })]).toEqual([
      'documents/東海 65999.txt',
      modifiedAt,
    ]);
    if (!last) throw new Error('no entry');
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(last)) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(text);
    zip.close();
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
});
