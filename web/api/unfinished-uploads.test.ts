import { expect, test } from 'vitest';
import { fingerprintOf, isSameFile, unfinishedOf } from './unfinished-uploads.ts';

const id = '7f1f6a52-6f6c-4bb6-9d3b-3c7d5b3d9a10';
const mark = {
  owner: 'ada',
  name: 'guide › a :: b.pdf',
  choice: 'keep-both' as const,
  collection: id,
  size: 500_000,
  lastModified: 1_760_000_000_000,
};

function remembered(entries: Record<string, string>) {
  const keys = Object.keys(entries);
  return {
    length: keys.length,
    key: (place: number) => keys[place] ?? null,
    getItem: (key: string) => entries[key] ?? null,
  };
}

test('an upload is found again under its mark, by its owner alone', () => {
  const key = `tus::${fingerprintOf(mark)}::123456`;
  const storage = remembered({
    [key]: JSON.stringify({ uploadUrl: `http://localhost/v1/uploads/${id}` }),
    'footnote.sidebar': 'open',
    'tus::somebody else::1': '{}',
  });
  expect(unfinishedOf('ada', storage)).toEqual([{ ...mark, key, uploadId: id }]);
  expect(unfinishedOf('ben', storage)).toEqual([]);
});

test('what can not be read is passed over', () => {
  const url = JSON.stringify({ uploadUrl: `/v1/uploads/${id}` });
  const storage = remembered({
    'tus::footnote\nada::1': url,
    'tus::footnote\nada\nsomehow\n1\n2\na.pdf::1': url,
    'tus::footnote\nada\nreplace\n1\n2\na.pdf::1': 'no address',
  });
  expect(unfinishedOf('ada', storage)).toEqual([]);
});

test('the same file is known by name, size and date', () => {
  const file = { name: 'a :: b.pdf', size: mark.size, lastModified: mark.lastModified };
  expect(isSameFile(mark, file)).toBe(true);
  expect(isSameFile(mark, { ...file, size: 1 })).toBe(false);
  expect(isSameFile(mark, { ...file, lastModified: 1 })).toBe(false);
  expect(isSameFile(mark, { ...file, name: 'b.pdf' })).toBe(false);
});
