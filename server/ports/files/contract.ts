import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileAbsent, type FileStore } from './port.ts';

/**
 * What every implementation of the port must do.
 * @param open a store on an empty place
 */
export function fileStoreContract(name: string, open: () => Promise<FileStore>): void {
  describe(`${name} as a file store`, () => {
    let files: FileStore;
    let local: string;
    beforeEach(async () => {
      files = await open();
      local = await mkdtemp(join(tmpdir(), 'footnote-files-'));
    });
    afterEach(() => rm(local, { recursive: true }));

    const read = async (key: string, range?: { start: number; end: number }) => buffer(await files.get(key, range));
    const put = (key: string, content: string | Buffer) => files.put(key, Readable.from([Buffer.from(content)]));

    test('gives back what was put, byte for byte', async () => {
      const bytes = randomBytes(300_000);
      await put('company/upload', bytes);
      expect((await read('company/upload')).equals(bytes)).toBe(true);
      expect(await files.size('company/upload')).toBe(bytes.length);
    });

    test('keeps an empty file', async () => {
      await files.put('empty', Readable.from([]));
      expect(await files.size('empty')).toBe(0);
      expect(await read('empty')).toHaveLength(0);
    });

    test('gives a range, both ends included, and no more than there is', async () => {
      await put('a/b', '0123456789');
      expect(String(await read('a/b', { start: 2, end: 4 }))).toBe('234');
      expect(String(await read('a/b', { start: 0, end: 0 }))).toBe('0');
      expect(String(await read('a/b', { start: 8, end: 99 }))).toBe('89');
    });

    test('replaces the whole under the same key', async () => {
      await put('a/b', 'a long first text');
      await put('a/b', 'short');
      expect(String(await read('a/b'))).toBe('short');
    });

    test('says of an absent key that it is absent, and deletes it gladly', async () => {
      await expect(files.get('no/such')).rejects.toThrow(FileAbsent);
      await expect(files.size('no/such')).rejects.toThrow(FileAbsent);
      await files.delete('no/such');
      await put('a/b', 'text');
      await expect(files.get('a'), 'what only begins a key is none').rejects.toThrow(FileAbsent);
      await expect(files.size('a')).rejects.toThrow(FileAbsent);
      await expect(files.get('a/b/c')).rejects.toThrow(FileAbsent);
      await files.delete('a');
      expect(String(await read('a/b'))).toBe('text');
    });

    test('deletes: nothing of the key is left', async () => {
      await put('a/b', 'text');
      await files.delete('a/b');
      await files.delete('a/b');
      await expect(files.get('a/b')).rejects.toThrow(FileAbsent);
      expect(await files.list('')).toEqual([]);
    });

    test('lists what begins with the prefix, and nothing else', async () => {
      for (const key of ['one/a', 'one/ab', 'one/deep/c', 'onerous', 'two/a']) await put(key, key);
      expect((await files.list('one/')).toSorted()).toEqual(['one/a', 'one/ab', 'one/deep/c']);
      expect((await files.list('one/a')).toSorted()).toEqual(['one/a', 'one/ab']);
      expect((await files.list('one')).toSorted()).toEqual(['one/a', 'one/ab', 'one/deep/c', 'onerous']);
      expect(await files.list('three/')).toEqual([]);
      expect(await files.list('')).toHaveLength(5);
    });

    test('takes over a local file, which is gone afterwards', async () => {
      const path = join(local, 'upload');
      await writeFile(path, 'the bytes');
      await files.putFile('a/b', path);
      expect(String(await read('a/b'))).toBe('the bytes');
      expect(await readdir(local)).toEqual([]);
    });

    test('takes over no file that is not there, and keeps what it had', async () => {
      await put('a/b', 'before');
      await expect(files.putFile('a/b', join(local, 'none'))).rejects.toThrow();
      expect(String(await read('a/b'))).toBe('before');
    });

    test('leaves a local file where it is when it can not be stored', async () => {
      const path = join(local, 'upload');
      await writeFile(path, 'the bytes');
      await expect(files.putFile('../out', path)).rejects.toThrow('not a key');
      expect((await stat(path)).size).toBe(9);
    });

    test('a put that breaks off midway leaves nothing, and keeps what was there', async () => {
      await put('old', 'before');
      for (const key of ['new', 'old']) await expect(files.put(key, breaking())).rejects.toThrow('cut off');
      expect(await files.list('')).toEqual(['old']);
      expect(String(await read('old'))).toBe('before');
    });

    test('a put that can not begin lets go of its stream', async () => {
      const content = Readable.from([Buffer.from('text')]);
      await expect(files.put('../out', content)).rejects.toThrow('not a key');
      expect(content.destroyed).toBe(true);
    });

    test('a reader never sees half of two contents', async () => {
      const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
      await put('one', contents[0] ?? '');
      const writers = contents.map((content) => put('one', content));
      const readers = contents.map(() => read('one'));
      await Promise.all(writers);
      for (const seen of await Promise.all(readers)) expect(contents).toContain(String(seen));
      expect(contents).toContain(String(await read('one')));
    });

    test('a read that is under way goes on after a delete', async () => {
      const bytes = randomBytes(2_000_000);
      await put('one', bytes);
      const stream = await files.get('one');
      await files.delete('one');
      expect((await buffer(stream)).equals(bytes)).toBe(true);
    });

    test.each(['../out', 'a/../b', '..', '.', './a', '/etc/passwd', '', 'a//b', 'a/', 'a\\b', 'a\0b', 'a b', 'ü'])(
      'refuses %j as a key',
      async (key) => {
        await expect(put(key, 'text')).rejects.toThrow('not a key');
        await expect(files.get(key)).rejects.toThrow('not a key');
        await expect(files.size(key)).rejects.toThrow('not a key');
        await expect(files.delete(key)).rejects.toThrow('not a key');
        expect(await files.list('')).toEqual([]);
      },
    );
  });
}

function breaking(): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000);
      throw new Error('cut off');
    })(),
  );
}
