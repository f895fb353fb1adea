import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { leastHoldMs } from '#server/testing/event-loop.ts';
import { startTransport, type Transport } from '#server/testing/transport.ts';

const people = defineCall({
  summary: 'Counts people.',
  input: z.object({ people: z.array(z.uuid()).max(10_000), note: z.string().optional() }).strict(),
  output: z.object({ count: z.number() }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});
/** What a request may hold everybody else up. */
const maxHoldMs = 50;
/** As many as one megabyte holds, so that it is not refused for its length. */
const most = 104_000;
const keys = Array.from({ length: most }, (_, i) => `"${(i + 100_000).toString(36)}":1`).join();

let transport: Transport;
beforeAll(async () => {
  const count = async (input: { people: string[] }) => ({ count: input.people.length });
  transport = await startTransport({ people }, { people: count });
});
afterAll(() => transport.close());

test.each([
  ['names that nobody knows', `{"data":{${keys}}}`],
  ['names beside the data', `{${keys},"data":1}`],
  ['such names and half of a character', `{"data":{${keys},"x":"\\ud800"}}`],
  ['lists within each other', `{"data":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['empty objects', `{"data":["\\ud800"${',{}'.repeat(330_000)}]}`],
  ['names behind a text with quotes in it', `{"data":{"a":"\\\\\\"","b":"\\\\",${keys}}}`],
])('a stranger who sends %s holds nobody up, and gets a short answer', async (_, body) => {
  expect(body.length).toBeLessThan(1024 * 1024);
  const answers: string[] = [];
  const held = await leastHoldMs(maxHoldMs, async () => {
    answers.push(await (await transport.post('/v1/people', body)).text());
  });
  expect(answers[0]).toContain('"too-large"');
  expect(answers[0]?.length).toBeLessThan(500);
  expect(held).toBeLessThanOrEqual(maxHoldMs);
});

test('what is refused is told of in a few words, however much of it there is', async () => {
  const unknown = Array.from({ length: 5000 }, (_, i) => `"not known ${i}":1`).join();
  const response = await transport.post('/v1/people', `{"data":{${unknown}}}`);
  expect(response.status).toBe(400);
  expect((await response.text()).length).toBeLessThan(2000);
});

test('the longest list that a call has is read, and any text that fits', async () => {
  const list = Array.from({ length: 10_000 }, () => crypto.randomUUID());
  const note = ',{[:"\\'.repeat(50_000);
  const response = await transport.post('/v1/people', JSON.stringify({ data: { people: list, note } }));
  expect(await response.json()).toEqual({ result: { count: 10_000 } });
});
