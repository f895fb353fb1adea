import { expect, test } from 'vitest';
import type { Database } from '#server/db/db.ts';
import { createRecentChanges } from './recent-changes.ts';

/** What the listener of the database would tell. */
async function openChanges(max?: number) {
  let heard: (payload: Record<string, unknown>) => void = () => {};
  let missed = () => {};
  const listen: Database['listen'] = async (_channel, onHeard, onMissed = () => {}) => {
    [heard, missed] = [onHeard, onMissed];
    return () => {};
  };
  const changes = createRecentChanges({ listen } as Database, max);
  await changes.listen();
  return {
    changes,
    change: (companyId: string, documentId: string) => heard({ companyId, documentId }),
    miss: () => missed(),
  };
}

test('tells what changed after a cursor, each once, and of one company alone', async () => {
  const { changes, change } = await openChanges();
  change('a', 'before');
  const cursor = changes.cursor();
  expect(changes.since('a', cursor)).toEqual([]);
  change('a', 'one');
  change('b', 'other');
  change('a', 'two');
  change('a', 'one');
  expect(changes.since('a', cursor)).toEqual(['two', 'one']);
  expect(changes.since('b', cursor)).toEqual(['other']);
  expect(changes.since('a', changes.cursor())).toEqual([]);
});

test('knows no cursor from elsewhere, none of before something was missed, and none of too long ago', async () => {
  const { changes, change, miss } = await openChanges(2);
  const first = changes.cursor();
  for (const unknown of ['', 'x.1', `${first.split('.')[0]}.9`, `${first.split('.')[0]}.x`, '.'])
    expect(changes.since('a', unknown)).toBeNull();
  change('a', 'one');
  change('a', 'two');
  expect(changes.since('a', first)).toEqual(['one', 'two']);
  change('a', 'three');
  expect(changes.since('a', first)).toBeNull();
  const later = changes.cursor();
  miss();
  expect(changes.since('a', later)).toBeNull();
  change('a', 'four');
  expect(changes.since('a', changes.cursor())).toEqual([]);
});
