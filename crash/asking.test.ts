import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { queryOnce } from '#server/testing/outside-postgres.ts';
import { answersBroken, ask, countsBroken } from './asking.ts';
import { askedBy, createLedger } from './ledger.ts';

// Whether the look at answers sees what it is there to see.

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const query = (statement: string) => queryOnce(app.app.db.connection, statement);

/** A company that has asked two questions, one of them twice: as a call, and as a stream. */
async function asked() {
  const { company, admin, token } = await app.signUp({ password: goodPassword });
  const ledger = createLedger();
  const owner = { email: admin.email, companyName: company.name, companyId: company.id, idToken: token, busy: true };
  ledger.accounts.push(owner);
  const client = createClient(app.url, token);
  const who = { client, asked: askedBy(ledger, company.id) };
  for (const text of ['Where is the key?', 'Where is the key?', 'Who has it?']) await ask(who, text);
  const own = `company_id = '${company.id}'`;
  return {
    who,
    own,
    look: async () => (await answersBroken(ledger, { query })).broken,
    counts: () => countsBroken(owner, client, { query }),
  };
}

test('it finds nothing where each answer is stored once, and counted once', async () => {
  const { look, counts } = await asked();
  expect(await look()).toEqual([]);
  expect(await counts()).toEqual([]);
});

test('it finds an answer that was given and is lost', async () => {
  const { look, own } = await asked();
  await query(`delete from queries where ${own} and question = 'Who has it?'`);
  expect(await look()).toEqual([expect.stringMatching(/to "Who has it\?" was given and is lost$/)]);
});

test('it finds one that is stored twice, and lets one be stored whose reply was cut', async () => {
  const { look, own, who } = await asked();
  const copy = `insert into queries (company_id, id, user_id, question, answer, answered, duration_ms)
    select company_id, '${randomUUID()}', user_id, question, answer, answered, duration_ms from queries
    where ${own} and question = 'Who has it?'`;
  await query(copy);
  expect(await look()).toEqual(['"Who has it?" was asked 1 times, and is stored 2 times']);
  const kept = who.asked.get('Who has it?');
  if (kept) kept.tries += 1;
  expect(await look()).toEqual([]);
});

test('it finds questions that are not counted', async () => {
  const { counts, own } = await asked();
  expect(await counts()).toEqual([]);
  await query(`insert into queries (company_id, id, user_id, question, answer, answered, duration_ms, counted)
    select company_id, '${randomUUID()}', user_id, question, answer, answered, duration_ms, true from queries
    where ${own} and question = 'Who has it?'`);
  expect(await counts()).toEqual([expect.stringContaining('count 3 questions of 4')]);
});

test('it looks until all is counted that can be counted, and finds what is not', async () => {
  const { counts, own } = await asked();
  const more = (count: number, askedBefore: string) => `
    insert into queries (company_id, id, user_id, question, answer, answered, duration_ms, asked_question_id, counted)
    select company_id, gen_random_uuid(), user_id, 'Who has it?', answer, answered, duration_ms, ${askedBefore}
    from queries, generate_series(1, ${count}) where id = (select id from queries where ${own} limit 1)`;
  await query(more(1200, 'null, false'));
  expect(await counts()).toEqual([]);
  await query(more(1, 'null, true'));
  expect(await counts()).toEqual([expect.stringMatching(/count 1203 questions of 1204$/)]);
});
