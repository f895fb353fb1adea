import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createClient } from '#client/client.ts';
import type { CallInput, CallMessage } from '#contract/calls.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { auditEvents, citations, keptReplies, queries, webhookDeliveries } from '#server/db/schema.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { startScriptedApp } from '#server/testing/scripted-app.ts';
import { insertWebhook } from '#server/testing/webhooks.ts';
import { says } from '#simulators/models/script.ts';
import { clearReplies } from './kept-reply.ts';

const where: CallInput<'query'> = asking('Where does the cellar key hang?');
const nobodyKnows = asking('Who waters the plants on Mars?');

function asking(text: string): CallInput<'query'> {
  return { history: [{ role: 'user', parts: [{ text }] }] };
}

/** A company with a document, whose id it answers. */
async function addRules({ app, client }: Company): Promise<string> {
  const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');
  const { documentId } = await client.upload('Rules.md', rules);
  await app.idle();
  return documentId;
}

/** How often it is stored, and told of. */
async function counts({ app, id }: Company) {
  return app.app.db.asCompany(id, async (tx) => ({
    answers: await tx.$count(queries),
    citations: await tx.$count(citations),
    events: await tx.$count(auditEvents, eq(auditEvents.action, 'question-asked')),
    deliveries: await tx.$count(webhookDeliveries),
  }));
}

describe('a question that is sent again with its key', () => {
  test('is told the same answer, which is stored and told of once', async ({ company }) => {
    await addRules(company);
    const sending = { idempotencyKey: randomUUID() };
    const first = await company.client.call('query', where, sending);
    expect(first.sources).toMatchObject([{ name: 'Rules.md' }]);
    const once = await counts(company);
    expect(once).toEqual({ answers: 1, citations: 1, events: 1, deliveries: 0 });

    expect(await company.client.call('query', where, sending)).toEqual(first);
    const messages: CallMessage<'query'>[] = [];
    expect(await company.client.stream('query', where, (each) => messages.push(each), sending)).toEqual(first);
    const tokens = messages.flatMap((each) => (each.type === 'token' ? each.text : []));
    const cited = messages.flatMap((each) => (each.type === 'citation' ? [each.source] : []));
    expect([tokens.join(''), cited]).toEqual([first.answer, first.sources]);
    expect(messages[0]).toMatchObject({ type: 'status', language: first.language });
    expect(await counts(company)).toEqual(once);

    const other = await company.client.call('query', where, { idempotencyKey: randomUUID() });
    expect(other.queryId, 'another key is another question').not.toBe(first.queryId);
    expect((await company.client.call('query', where)).queryId).not.toBe(
      (await company.client.call('query', where)).queryId,
    );
    expect((await counts(company)).answers).toBe(4);
  });

  test('where nothing answers it, and where it is a greeting', async ({ app, company }) => {
    await insertWebhook(app, company.id, { url: 'https://example.com/', events: ['question.unanswered'] });
    for (const question of [nobodyKnows, asking('Hello!')]) {
      const sending = { idempotencyKey: randomUUID() };
      const first = await company.client.stream('query', question, () => {}, sending);
      expect(await company.client.call('query', question, sending)).toEqual(first);
    }
    expect(await counts(company)).toEqual({ answers: 2, citations: 0, events: 2, deliveries: 1 });
  });

  test('many times at once', async ({ company }) => {
    await addRules(company);
    const sending = { idempotencyKey: randomUUID() };
    const messages: CallMessage<'query'>[][] = [];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const heard: CallMessage<'query'>[] = [];
        messages.push(heard);
        return i % 2 === 0
          ? company.client.call('query', where, sending)
          : company.client.stream('query', where, (each) => heard.push(each), sending);
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await counts(company)).toEqual({ answers: 1, citations: 1, events: 1, deliveries: 0 });
    for (const heard of messages.filter(({ length }) => length > 0)) {
      const last = heard.slice(heard.findLastIndex(({ type }) => type === 'restart') + 1);
      expect(last.flatMap((each) => (each.type === 'token' ? each.text : [])).join('')).toBe(answers[0]?.answer);
    }
  });

  test('is refused where it is another question', async ({ company }) => {
    const documentId = await addRules(company);
    const sending = { idempotencyKey: randomUUID() };
    await company.client.call('query', where, sending);
    const others = [nobodyKnows, { ...where, filters: { documentIds: [documentId] } }];
    for (const other of others) {
      const refused = { code: 'idempotency-key-reused', status: 'INVALID_ARGUMENT' };
      await expect(company.client.call('query', other, sending)).rejects.toMatchObject(refused);
      await expect(company.client.stream('query', other, () => {}, sending)).rejects.toMatchObject(refused);
    }
    expect((await counts(company)).answers).toBe(1);
  });

  test('means nothing of anybody else', async ({ app, company }) => {
    await addRules(company);
    const sending = { idempotencyKey: 'the-same' };
    const first = await company.client.call('query', where, sending);
    const { token } = await app.addMember({ id: company.id });
    const colleagues = await createClient(app.url, token).call('query', where, sending);
    expect(colleagues).toMatchObject({ answered: true });
    expect(colleagues.queryId).not.toBe(first.queryId);
    const other = await newCompany(app);
    expect(await other.client.call('query', where, sending)).toMatchObject({ answered: false, sources: [] });
  });

  test('by an API key of the same person', async ({ app, company }) => {
    await addRules(company);
    const { key } = await company.client.call('createApiKey', { kind: 'personal', name: 'Script', scope: 'read' });
    const sending = { idempotencyKey: randomUUID() };
    const script = createClient(app.url, key);
    const first = await script.call('query', where, sending);
    expect(await script.call('query', where, sending)).toEqual(first);
    const [use] = await app.app.db.statement<{ asked: number }>(
      sql`select sum(asked)::int as asked from api_key_days where company_id = ${company.id}`,
    );
    expect(use?.asked).toBe(1);
  });

  test('no longer, once a document of the answer is deleted', async ({ app, company }) => {
    const documentId = await addRules(company);
    const keys = [randomUUID(), randomUUID()] as const;
    await company.client.call('query', where, { idempotencyKey: keys[0] });
    // Of this one words are shown as coming closest.
    const closest = await company.client.call('query', asking('Where does the attic ladder hang?'), {
      idempotencyKey: keys[1],
    });
    expect([...closest.sources, ...(closest.closest ?? [])].map((each) => each.documentId)).toContain(documentId);
    await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await expect(company.client.call('query', where, { idempotencyKey: keys[0] })).rejects.toMatchObject({
      code: 'answer-gone',
    });
    const kept = await app.app.db.asCompany(company.id, (tx) => tx.select().from(keptReplies));
    expect(kept.map(({ reply }) => reply)).toEqual([null, null]);
    expect((await counts(company)).answers).toBe(2);
  });

  test('no longer, once a document of the answer is hidden from the person', async ({ app, company }) => {
    const documentId = await addRules(company);
    const { token } = await app.addMember({ id: company.id });
    const member = createClient(app.url, token);
    const sending = { idempotencyKey: randomUUID() };
    const answer = await member.call('query', where, sending);
    const board = { name: 'Board', access: 'restricted' as const };
    const { collectionId } = await company.client.call('createCollection', board);
    await company.client.call('moveDocuments', { documentIds: [documentId], collectionId });
    await expect(member.call('query', where, sending)).rejects.toMatchObject({ code: 'answer-gone' });
    await company.client.call('moveDocuments', { documentIds: [documentId], collectionId: company.id });
    expect(await member.call('query', where, sending)).toEqual(answer);
  });

  test('for a day', async ({ app, company }) => {
    const sending = { idempotencyKey: randomUUID() };
    const first = await company.client.call('query', nobodyKnows, sending);
    const age = (hours: number) =>
      app.app.db.asCompany(company.id, (tx) =>
        tx.update(keptReplies).set({ createdAt: new Date(Date.now() - hours * 3_600_000) }),
      );
    await age(23);
    await clearReplies(app.app.db);
    expect(await company.client.call('query', nobodyKnows, sending)).toEqual(first);
    await age(25);
    await clearReplies(app.app.db);
    expect((await company.client.call('query', nobodyKnows, sending)).queryId).not.toBe(first.queryId);
  });

  test('is a name of 1 to 200 characters', async ({ company }) => {
    for (const idempotencyKey of ['a'.repeat(201), 'two words', 'é'])
      await expect(company.client.call('query', nobodyKnows, { idempotencyKey })).rejects.toMatchObject({
        code: 'invalid-input',
        details: { issues: [{ path: 'Idempotency-Key' }] },
      });
    await company.client.call('query', nobodyKnows, { idempotencyKey: 'a'.repeat(200) });
    expect((await counts(company)).answers).toBe(1);
  });
});

describe('an answer that a model writes', () => {
  test('is not written again', async () => {
    const scripted = await startScriptedApp({ 'Rules.md': 'The cellar key hangs behind the green door.\n' });
    try {
      const { client, model } = scripted;
      model.play(says('The cellar key hangs behind the green door [1].'));
      const sending = { idempotencyKey: randomUUID() };
      const first = await client.stream('query', where, () => {}, sending);
      expect(first).toMatchObject({ answered: true, sources: [{ name: 'Rules.md' }] });
      const asked = model.calls.length;
      expect(asked).toBeGreaterThan(0);
      expect(await client.stream('query', where, () => {}, sending)).toEqual(first);
      expect(model.calls.length).toBe(asked);
    } finally {
      await scripted.close();
    }
  });
});
