import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallMessage } from '#contract/calls.ts';
import { queries } from '#server/db/schema.ts';
import { type ScriptedApp, startScriptedApp } from '#server/testing/scripted-app.ts';
import type { ModelCall } from '#simulators/models/received.ts';
import { failing, says, type Turn } from '#simulators/models/script.ts';

const question = 'Within how many days must receipts be handed in, and where may one park?';
const fact = 'Receipts must be handed in within 30 days.';
/** Says what the fact says, in words that it does not have. */
const reworded = 'Anybody who has spent money brings the slips to accounting inside of 30 days';

describe('a second reader', () => {
  let scripted: ScriptedApp;
  beforeAll(async () => {
    scripted = await startScriptedApp({
      'Travel policy.txt': `${fact}\n\nParking at the station is paid back in full.`,
    });
  }, 60_000);
  afterAll(() => scripted.close());
  beforeEach(() => {
    scripted.model.calls.length = 0;
  });

  const isJudging = ({ prompt }: ModelCall) => prompt.includes('You compare statements with passages');
  /** One turn for the answer, another for each request to judge it. */
  const play = (answer: Turn, verdict: Turn) => scripted.model.play((call) => (isJudging(call) ? verdict : answer));
  const ask = async () => {
    const history = [{ role: 'user' as const, parts: [{ text: question }] }];
    const { messages, result } = await scripted.app.stream('query', { history }, { token: scripted.token });
    const since = messages.slice(messages.findLastIndex(({ type }: CallMessage<'query'>) => type === 'restart') + 1);
    const streamed = since.map((message) => (message.type === 'token' ? message.text : '')).join('');
    expect(streamed).toBe(result.answer);
    return result;
  };
  const marked = ({ answer, unsupported = [], unchecked = [] }: Awaited<ReturnType<typeof ask>>) => ({
    answer,
    unsupported: unsupported.map(({ start, end }) => answer.slice(start, end)),
    unchecked: unchecked.map(({ start, end }) => answer.slice(start, end)),
  });
  const everyPair = (word: string): Turn =>
    says(JSON.stringify(Object.fromEntries(Array.from({ length: 48 }, (_, i) => [i + 1, word]))));

  test('is not asked about copies', async () => {
    play(says(`${fact.slice(0, -1)} [1].`), everyPair('no'));
    expect(marked(await ask())).toEqual({ answer: `${fact.slice(0, -1)} [1].`, unsupported: [], unchecked: [] });
    expect(scripted.model.calls.filter(isJudging)).toEqual([]);
  });

  test('takes a marker away from what its passage does not say, and the claim is marked', async () => {
    play(
      says('Receipts, handed in within 30 days, must be free [1]. Parking at the station is paid back in full [1].'),
      everyPair('no'),
    );
    const { answer, unsupported } = marked(await ask());
    expect(answer).toBe(
      'Receipts, handed in within 30 days, must be free. Parking at the station is paid back in full [1].',
    );
    expect(unsupported).toEqual(['Receipts, handed in within 30 days, must be free']);
  });

  test('gives the marker back that words had to leave out, with the very sentence, and what it cost is counted', async () => {
    play(says(`${reworded} [1]. Parking at the station is paid back in full [1].`), everyPair('yes'));
    const result = await ask();
    expect(result.answer).toBe(`${reworded} [1]. Parking at the station is paid back in full [2].`);
    expect(result.sources.map(({ quote }) => quote)).toEqual([fact, 'Parking at the station is paid back in full.']);
    const [row] = (await scripted.app.app.db.asSystem((tx) => tx.select().from(queries))).filter(
      ({ id }) => id === result.queryId,
    );
    const tokens = scripted.model.calls.map(({ prompt }) => Math.ceil(prompt.length / 4));
    expect(scripted.model.calls.filter(isJudging)).toHaveLength(1);
    expect(row?.inputTokens).toBe(tokens.reduce((sum, each) => sum + each, 0));
  });

  test('remembers what it has said', async () => {
    play(says(`${reworded}, they say [1]. ${fact.slice(0, -1)} [1].`), everyPair('yes'));
    const first = await ask();
    expect(scripted.model.calls.filter(isJudging)).toHaveLength(1);
    expect((await ask()).answer).toBe(first.answer);
    expect(scripted.model.calls.filter(isJudging)).toHaveLength(1);
  });

  test.each<[string, Turn]>([
    ['fails', failing(400)],
    ['says something else', says('I am not sure.')],
    ['does not know', everyPair('open')],
    ['breaks off', { pieces: ['{"1":'], afterwards: 'disconnect' }],
  ])('one that %s changes nothing: words decide', async (why, verdict) => {
    // Another claim each time: what is known is not asked again.
    play(says(`${reworded}, which is ${why} [1]. ${fact.slice(0, -1)} [1].`), verdict);
    const { answer, unsupported, unchecked } = marked(await ask());
    expect(answer).toBe(`${reworded}, which is ${why}. ${fact.slice(0, -1)} [1].`);
    expect([...unsupported, ...unchecked]).toEqual([`${reworded}, which is ${why}`]);
  });
});
