import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '#client/client.ts';
import type { CallOutput } from '#contract/calls.ts';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { OutsidePostgres } from '#server/testing/outside-postgres.ts';
import { type Asked, askedBy, type Ledger } from './ledger.ts';

/** Who asks, and what was asked in the company before. */
export interface Asking {
  client: Client;
  asked: Map<string, Asked>;
}

type Database = Pick<OutsidePostgres, 'query'>;

/** A person asks again whose answer was cut, not for ever. */
const maxTries = 3;
const personMs = 300;
/** What a process says that ends; the rest is an answer. */
const mayPass = new Set<ErrorCode>(['unavailable', 'internal', 'cancelled', 'deadline-exceeded']);

/**
 * Asks, as a stream every other time, and with the same key again where the answer does not come; keeps in the ledger
 * what was tried and what was answered.
 */
export async function ask({ client, asked }: Asking, text: string): Promise<CallOutput<'query'>> {
  const kept = asked.get(text) ?? { tries: 0, acknowledged: new Set() };
  asked.set(text, kept);
  kept.tries += 1;
  const input = { history: [{ role: 'user' as const, parts: [{ text }] }] };
  const sending = { idempotencyKey: randomUUID() };
  const isStreamed = kept.tries % 2 === 0;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await (isStreamed
        ? client.stream('query', input, () => {}, sending)
        : client.call('query', input, sending));
      kept.acknowledged.add(answer.queryId);
      return answer;
    } catch (error) {
      if (tries === maxTries || (error instanceof AppError && !mayPass.has(error.code))) throw error;
      await wait(personMs);
    }
  }
}

/**
 * Whether each answer that was given is stored, and no question more often than it was asked. For a time at which
 * nobody asks.
 * @returns what contradicts it, and how many are stored whose answer was cut on its way
 */
export async function answersBroken(
  ledger: Ledger,
  { query }: Database,
): Promise<{ broken: string[]; given: number; unseen: number }> {
  const rows = await query('select company_id::text, id::text, question from queries');
  const stored = Map.groupBy(rows, ({ company_id, question }) => `${company_id} ${question}`);
  const broken: string[] = [];
  let given = 0;
  for (const { companyId } of ledger.accounts) {
    if (companyId === undefined) continue;
    for (const [text, { tries, acknowledged }] of askedBy(ledger, companyId)) {
      const found = stored.get(`${companyId} ${text}`) ?? [];
      given += acknowledged.size;
      for (const id of acknowledged)
        if (!found.some((row) => row.id === id)) broken.push(`the answer ${id} to "${text}" was given and is lost`);
      if (found.length > tries) broken.push(`"${text}" was asked ${tries} times, and is stored ${found.length} times`);
    }
  }
  return { broken, given, unseen: rows.length - given };
}

/** Whether analytics have counted each stored question once. */
export async function countsBroken(
  { companyId, companyName }: { companyId?: string | undefined; companyName: string },
  client: Client,
  { query }: Database,
): Promise<string[]> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  // The day may change in the middle, and a company's is not everyone's.
  const days = { from: day(Date.now() - 2 * 86_400_000), to: day(Date.now() + 86_400_000) };
  let { asked } = await client.call('getAnalytics', days);
  // Each look counts 500 more at most, and leaves the rest to a job of every minute: a survey may just have asked more.
  for (let before = -1; asked > before; ) {
    before = asked;
    ({ asked } = await client.call('getAnalytics', days));
  }
  const [row] = await query(`select count(*)::int as stored from queries where company_id = '${companyId}'`);
  return asked === row?.stored ? [] : [`analytics of ${companyName} count ${asked} questions of ${row?.stored}`];
}
