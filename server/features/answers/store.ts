import { sql } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { citations, queries } from '#server/db/schema.ts';
import { auditInsert } from '#server/features/audit/audit.ts';
import type { ModelUsage } from '#server/ports/language-model/port.ts';
import type { Manner } from './agent/manner.ts';
import type { CitedQuote } from './answer-text.ts';

/** A question under way: whose it is, and when it was asked. */
export interface Asked {
  companyId: string;
  userId: string;
  email: string;
  /** Absent where no request is at hand. */
  ip?: string | undefined;
  question: string;
  /** The question before it, where it goes on from that one. */
  saidBefore?: string | undefined;
  /** By an admin, to see how it is answered: it is stored, and counted nowhere. */
  isTrial?: boolean | undefined;
  /** `performance.now()` */
  started: number;
  /** How the company wants it to be answered. */
  manner: Manner;
}

/** What a model had to do with the answer. */
export interface Writing {
  model: string;
  usage?: ModelUsage | undefined;
  /** The documents whose words may stand in the answer; absent where it consists of quotes. */
  readDocuments?: string[];
}

/**
 * Stores an answer with its citations. The audit log tells that somebody asked, and of which stored answer, never what:
 * the log is kept for longer and for other eyes than questions.
 */
export async function record(
  tx: Tx,
  { question, saidBefore, isTrial, started, manner: _, ...by }: Asked,
  answer: Omit<CallOutput<'query'>, 'agentVersion'>,
  cited: readonly CitedQuote[],
  writing?: Writing,
): Promise<void> {
  const { companyId, userId } = by;
  const { queryId, answered } = answer;
  const event = auditInsert(tx, { action: 'question-asked', by, details: { queryId, answered } });
  const stored = tx.insert(queries).values({
    companyId,
    id: answer.queryId,
    userId,
    question,
    saidBefore,
    isTrial,
    answer: answer.answer,
    answered: answer.answered,
    unsupported: answer.unsupported,
    unchecked: answer.unchecked,
    notice: answer.notice,
    model: writing?.model,
    readDocuments: writing?.readDocuments,
    inputTokens: writing?.usage?.inputTokens,
    outputTokens: writing?.usage?.outputTokens,
    durationMs: Math.round(performance.now() - started),
  });
  if (cited.length === 0) {
    await tx.execute(sql`with event as ${event} ${stored.getSQL()}`);
    return;
  }
  const quotes = tx.insert(citations).values(
    cited.map(({ id, n, documentId, version, text, page, start, end }) => ({
      companyId,
      id,
      queryId,
      n,
      documentId,
      version,
      quote: text,
      page,
      start,
      end,
    })),
  );
  // As one: the reader waits for each round trip.
  await tx.execute(sql`with event as ${event}, stored as ${stored} ${quotes.getSQL()}`);
}
