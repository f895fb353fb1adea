import { expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { misfit, operationOf } from '#server/testing/api-document.ts';
import { startTestApp } from '#server/testing/app.ts';
import { tellStory } from './story.ts';

// The examples were recorded (node scripts/openapi/record.ts); here they are held against what is answered today.

test('every call that is open to keys has an example, and each fits what the document says', () => {
  for (const [name, call] of Object.entries(calls)) {
    const { requestBody, responses, 'x-stream': stream } = operationOf(name) ?? {};
    const sent = requestBody?.content['application/json'];
    const answered = responses?.[200].content['application/json'];
    if (call.scope !== null) expect([name, answered?.example]).not.toEqual([name, undefined]);
    for (const each of [sent, answered]) {
      if (each?.example !== undefined) expect([name, misfit(each.schema, each.example)]).toEqual([name, null]);
    }
    for (const message of stream?.example ?? []) {
      expect([name, stream && misfit(stream.message, message)]).toEqual([name, null]);
    }
  }
});

test('each has the fields that the same requests are answered with today', async () => {
  const app = await startTestApp({ branding: { name: 'Footnote', salesEmail: 'sales@footnote.example' } });
  const today = await tellStory({ url: app.url, idle: app.idle });
  await app.close();
  const fields = Object.fromEntries(Object.entries(today).map(([name, { output }]) => [name, fieldsOf(output)]));
  const recorded = Object.fromEntries(
    Object.keys(today).map((name) => {
      const example = operationOf(name)?.responses[200].content['application/json'].example;
      return [name, fieldsOf((example as { result: unknown }).result)];
    }),
  );
  expect(recorded).toEqual(fields);
});

/**
 * Paths of all that a value has, however often: values change with every improvement, and that is no change of shape.
 */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((each) => ['[]', each] as const) : Object.entries(value);
  const below = entries.flatMap(([name, each]) => fieldsOf(each, path === '' ? name : `${path}.${name}`));
  return [...new Set(below)].toSorted();
}
