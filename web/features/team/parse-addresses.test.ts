import { expect, test } from 'vitest';
import { parseAddresses } from './parse-addresses.ts';

test.each<[what: string, text: string, addresses: string[], unrecognised?: string[]]>([
  ['nothing', ' \n\t,;\r\n ', []],
  [
    'lines of every system',
    'a@x.example\nb@x.example\r\nc@x.example\rd@x.example',
    ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
  ],
  [
    'commas, semicolons and spaces',
    'a@x.example, b@x.example;c@x.example d@x.example,',
    ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
  ],
  ['names', 'Mara Lind <mara@x.example>, <jonas@x.example>', ['mara@x.example', 'jonas@x.example']],
  [
    'names with commas, as mail programs write them',
    'Lind, Mara <mara@x.example>; "Berg, Jonas" <jonas@x.example>',
    ['mara@x.example', 'jonas@x.example'],
  ],
  [
    'a row of a spreadsheet',
    'Mara\tLind\tmara@x.example\tSales\nJonas\tBerg\tjonas@x.example\tPort',
    ['mara@x.example', 'jonas@x.example'],
  ],
  [
    'what stands around it',
    '"a@x.example" (b@x.example), mailto:c@x.example.',
    ['a@x.example', 'b@x.example', 'c@x.example'],
  ],
  ['capitals', 'Mara.Lind@X.Example', ['mara.lind@x.example']],
  ['other alphabets', 'jürgen@bücher.example, 用户@例子.example', ['jürgen@bücher.example', '用户@例子.example']],
  ['no address at all', 'Mara Lind', [], ['Mara Lind']],
  [
    'half an address',
    'mara@\nmara@x\n@x.example\na@b@x.example\nmara@x..example',
    [],
    ['mara@', 'mara@x', '@x.example', 'a@b@x.example', 'mara@x..example'],
  ],
  ['a forgotten domain among addresses', 'jonas, lea@x.example', ['lea@x.example'], ['jonas']],
  ['broken angles', 'Mara <mara@x.example, Jonas <>', [], ['Mara <mara@x.example', 'Jonas <>']],
  ['a quote that never ends', '"Lind, mara@x.example, b@x.example', ['mara@x.example', 'b@x.example'], ['"Lind']],
])('reads %s', (_what, text, addresses, unrecognised = []) => {
  expect(parseAddresses(text)).toEqual({ addresses, duplicates: [], unrecognised });
});

test('tells what stands there twice, also in another spelling', () => {
  expect(parseAddresses('a@x.example, A@x.example, b@x.example, Ann <a@X.example>, nope, nope')).toEqual({
    addresses: ['a@x.example', 'b@x.example'],
    duplicates: ['a@x.example'],
    unrecognised: ['nope'],
  });
});

test('a list of thousands is read at once, whatever is in it', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `Person ${i} <person${i}@x.example>`);
  expect(parseAddresses(many.join(', ')).addresses).toHaveLength(5000);
  expect(parseAddresses('"'.repeat(20_000)).addresses).toEqual([]);
  expect(parseAddresses(`${'a.'.repeat(50_000)}@x`).unrecognised).toHaveLength(1);
});
