import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#scripts/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';

const faq = `# Questions about travel

## Who approves journeys abroad?

Journeys abroad are approved by the head of the department, Susan Blake.

## How much does the moon weigh?

## Receipts

Receipts must be handed in within 30 days of the journey.
`;

describe('questions to begin with, and what was thought of an answer', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  async function company() {
    const { admin } = await app.signUp();
    await createClient(app.url, admin.token).upload('Travel.md', Buffer.from(faq));
    await app.idle();
    return admin;
  }

  test('each is answered with a source, and a deletion takes its questions with it', async () => {
    const { token } = await company();
    const { questions } = await app.call('getSuggestedQuestions', null, { token });
    expect(questions[0]).toBe('Who approves journeys abroad?');
    for (const text of questions) {
      const { answered, sources } = await app.call('query', { history: asking(text) }, { token });
      expect([answered, sources[0]?.name]).toEqual([true, 'Travel.md']);
    }
    const [file] = await app.call('getCompanyFiles', null, { token });
    await app.call('deleteFile', { filePath: file?.path ?? '' }, { token });
    expect(await app.call('getSuggestedQuestions', null, { token })).toEqual({ questions: [] });
  });

  test('a filter by date keeps to what was uploaded then', async () => {
    const { token } = await company();
    const ask = (filters: object) => app.call('searchPassages', { query: 'receipts', filters }, { token });
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect((await ask({ uploadedBefore: soon })).passages.length).toBeGreaterThan(0);
    expect((await ask({ uploadedAfter: soon })).passages).toEqual([]);
    await expect(ask({ uploadedAfter: 'yesterday' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('only who got an answer rates it', async () => {
    const { token } = await company();
    const { queryId } = await app.call('query', { history: asking('When are receipts due?') }, { token });
    const stranger = await company();
    const rate = (input: object, as: string) =>
      app.call('rateAnswer', { queryId, rating: 'down', ...input }, { token: as });
    expect(await rate({ reason: 'Too short.' }, token)).toBeNull();
    expect(await rate({ rating: null }, token)).toBeNull();
    await expect(rate({}, stranger.token)).rejects.toMatchObject({ code: 'answer-not-found' });
  });
});

function asking(text: string) {
  return [{ role: 'user' as const, parts: [{ text }] }];
}
