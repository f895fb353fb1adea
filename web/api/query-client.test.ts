import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient, showChanged } from './query-client.ts';

afterEach(() => queryClient.clear());

/** A list that the server answers when the test says so. */
function slowList() {
  const answers: ((list: string[]) => void)[] = [];
  const query = queryOptions({
    queryKey: ['list'],
    queryFn: () => new Promise<string[]>((resolve) => answers.push(resolve)),
    staleTime: 0,
  });
  return { query, answers };
}

test('a list that was on its way when something of it was removed does not bring that back', async () => {
  const { query, answers } = slowList();
  queryClient.setQueryData(query.queryKey, ['one', 'other']);
  const observer = new QueryObserver(queryClient, query);
  const stop = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);
  await showChanged(query, (list) => list.filter((each) => each !== 'other'));
  expect(observer.getCurrentResult().data).toEqual(['one']);
  answers[0]?.(['one', 'other']);
  // Asked for after the change, it is shown as it comes.
  answers[1]?.(['one', 'new']);
  await expect.poll(() => observer.getCurrentResult().data).toEqual(['one', 'new']);
  expect(answers).toHaveLength(2);
  stop();
});

test('nothing is asked for where nothing was on its way', async () => {
  const { query, answers } = slowList();
  queryClient.setQueryData(query.queryKey, ['one', 'other']);
  const observer = new QueryObserver(queryClient, { ...query, staleTime: Number.POSITIVE_INFINITY });
  const stop = observer.subscribe(() => {});
  await showChanged(query, (list) => list.slice(0, 1));
  expect(observer.getCurrentResult()).toMatchObject({ data: ['one'], isStale: false });
  expect(answers).toEqual([]);
  stop();
});
