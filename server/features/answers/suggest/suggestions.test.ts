import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';

const faq = `# Questions about travel

## Who approves journeys abroad?

Journeys abroad are approved by the head of the department, Susan Blake.

## How much does the moon weigh?

## Receipts

Receipts must be handed in within 30 days of the journey.
`;

const german = `# Reisekosten

Die Richtlinie gilt für alle, die im Auftrag der Firma reisen. Sie ersetzt die von 2024.

## Begriffe

„Dienstreise“ bezeichnet eine Reise, die aus betrieblichem Anlass unternommen wird.

## Hotels

| Ort | Höchstbetrag |
| --- | --- |
| Berlin | 145 Euro |
| Zürich | 210 Franken |
`;
const french = `# Frais de voyage

La présente note est valable pour tous les salariés qui voyagent pour la société.

« Voyage long » désigne un voyage de plus de trois jours en dehors de la France.

## Justificatifs

Les justificatifs sont remis dans un délai de trente jours après le retour du voyageur.
`;
const spanish = `# Gastos de viaje

La presente norma es válida para todos los empleados que viajan por cuenta de la empresa.

«Día hábil» significa un día de lunes a viernes que no es festivo en Madrid.

| Ciudad | Límite por noche |
| --- | --- |
| Madrid | 120 euros |
| Sevilla | 95 euros |
`;

describe('questions to begin with, and what was thought of an answer', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  async function company(text = faq) {
    const { admin } = await app.signUp();
    await createClient(app.url, admin.token).upload('Travel.md', Buffer.from(text));
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
    expect(await app.call('getSuggestedQuestions', null, { token })).toEqual({ questions: [], documents: [] });
  });

  test.each([
    [german, ['Was heißt „Dienstreise“?', 'Was steht unter „Höchstbetrag“ für Berlin?']],
    [french, ['Que signifie « Voyage long » ?']],
    [spanish, ['¿Qué significa «Día hábil»?', '¿Qué figura en «Límite por noche» para Madrid?']],
  ])('in the language of the documents, each answered with a source', async (text, expected) => {
    const { token } = await company(text);
    const { questions } = await app.call('getSuggestedQuestions', null, { token });
    expect(questions).toEqual(expect.arrayContaining(expected));
    for (const question of questions) {
      const { answered, sources } = await app.call('query', { history: asking(question) }, { token });
      expect({ question, answered, from: sources[0]?.name }).toEqual({ question, answered: true, from: 'Travel.md' });
    }
  });

  test('in the language of the reader, where there are some, each with its document', async () => {
    const { token } = await company(german);
    await createClient(app.url, token).upload('Viajes.md', Buffer.from(spanish));
    await app.idle();
    const suggested = (language: string) => app.call('getSuggestedQuestions', { language }, { token });
    const ofGerman = await suggested('de-CH');
    expect(ofGerman.questions).toEqual(expect.arrayContaining(['Was heißt „Dienstreise“?']));
    expect(new Set(ofGerman.documents.map((document) => document?.name))).toEqual(new Set(['Travel.md']));
    expect(new Set((await suggested('es')).documents.map((document) => document?.name))).toEqual(
      new Set(['Viajes.md']),
    );
    // Of nothing in their language some in others.
    expect((await suggested('pl')).questions.length).toBeGreaterThan(0);
  });

  test('of older documents, where the newest have nothing to ask', async () => {
    const { token } = await company();
    const client = createClient(app.url, token);
    const notes = Array.from({ length: 30 }, (_, i) => Buffer.from(`Gate ${i} needs new hinges.`));
    await Promise.all(notes.map((note, i) => client.upload(`Note ${i}.txt`, note)));
    await app.idle();
    const { questions } = await app.call('getSuggestedQuestions', null, { token });
    expect(questions).toContain('Who approves journeys abroad?');
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
