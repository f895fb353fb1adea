import { expect, test } from 'vitest';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { wholeCompany } from '#server/db/audience.ts';
import { createSharedReads } from './shared-reads.ts';

const everybody = wholeCompany('11111111-1111-4111-8111-111111111111');
const some = { ...everybody, collections: ['a'], key: 'some' };

function reading() {
  let change: string | null = 'one';
  const reads: string[] = [];
  const read = createSharedReads(
    async (reader, id) => {
      reads.push(`${change} ${id} ${('collections' in reader && reader.collections) || 'all'}`);
      if (change === 'failing') throw new Error('the database is away');
      return { id: `${change}` } as CompanyFile;
    },
    { lastOf: () => change },
  );
  return { read, reads, change: (to: string | null) => (change = to) };
}

test('a change is read once for all who see the same, and anew for others and after the next one', async () => {
  const { read, reads, change } = reading();
  await Promise.all([read(everybody, 'x'), read(everybody, 'x'), read(some, 'x'), read(everybody, 'y')]);
  await read(everybody, 'x');
  expect(reads).toEqual(['one x all', 'one x a', 'one y all']);
  change('two');
  expect((await read(everybody, 'x'))?.id).toBe('two');
  expect(reads).toHaveLength(4);
});

test('what failed is read again, and where no change is known everyone reads', async () => {
  const { read, reads, change } = reading();
  change('failing');
  await expect(read(everybody, 'x')).rejects.toThrow('away');
  await expect(read(everybody, 'x')).rejects.toThrow('away');
  change(null);
  await Promise.all([read(everybody, 'x'), read(everybody, 'x')]);
  expect(reads).toHaveLength(4);
});
