import type { CallOutput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { keptStatement, valueList } from '#server/db/kept-statement.ts';
import { citations, keptReplies, queries } from '#server/db/schema.ts';
import { auditStatement, auditValues } from '#server/features/audit/audit.ts';
import type { ModelUsage } from '#server/ports/language-model/port.ts';
import type { Manner } from './agent/manner.ts';
import type { CitedQuote } from './answer-text.ts';
import type { Repeatable } from './kept-reply.ts';

type Answer = CallOutput<'query'>;
/** What a reply tells of how it was asked for. */
export type Facts = Pick<Answer, 'agentVersion' | 'language' | 'followingUp'>;
/** What a stored answer is. */
export type Stored = Omit<Answer, keyof Facts>;

/** A question under way: whose it is, and when it was asked. */
export interface Asked {
  companyId: string;
  userId: string;
  email: string;
  /** The API key by which it was asked. */
  key?: { id: string; name: string } | undefined;
  /** Absent where no request is at hand. */
  ip?: string | undefined;
  question: string;
  /** The question before it, where it goes on from that one. */
  saidBefore?: string | undefined;
  /** Tried by an admin, or a greeting: it is stored, and counted nowhere. */
  isTrial?: boolean | undefined;
  /** `performance.now()` */
  started: number;
  /** How the company wants it to be answered. */
  manner: Manner;
  facts: Facts;
  /** Where it can be sent again: the reply is kept. */
  repeatable?: Repeatable | undefined;
}

/** What a model had to do with the answer. */
export interface Writing {
  model: string;
  usage?: ModelUsage | undefined;
  /** The documents whose words may stand in the answer; absent where it consists of quotes. */
  readDocuments?: string[];
}

const value = sql.placeholder;
/** As one statement: the reader waits for each round trip. */
const storing = keptStatement(
  'store-answer',
  sql`
    with event as (${auditStatement}),
    stored as (
      insert into ${queries} (company_id, id, user_id, question, said_before, is_trial, answer, answered, unsupported,
        unchecked, notice, model, read_documents, input_tokens, output_tokens, duration_ms)
      values (${value('companyId')}, ${value('queryId')}, ${value('userId')}, ${value('question')},
        ${value('saidBefore')}, ${value('isTrial')}, ${value('answer')}, ${value('answered')}, ${value('unsupported')},
        ${value('unchecked')}, ${value('notice')}, ${value('model')}, ${value('readDocuments')},
        ${value('inputTokens')}, ${value('outputTokens')}, ${value('durationMs')})
    ),
    kept as (
      insert into ${keptReplies} (company_id, id, query_id, asked, reply, document_ids)
      select ${value('companyId')}::uuid, reply_id, ${value('queryId')}::uuid, ${value('asked')}, ${value('reply')}::jsonb,
        ${value('toldOf')}::uuid[]
      from (select ${value('replyId')}::uuid as reply_id) as reply where reply_id is not null
    )
    insert into ${citations} (company_id, id, query_id, n, document_id, version, quote, page, start, "end")
    select ${value('companyId')}::uuid, id, ${value('queryId')}::uuid, n, document_id, version, quote, page, start, "end"
    from unnest(${valueList('ids', 'uuid')}, ${valueList('numbers', 'int')}, ${valueList('documents', 'uuid')},
      ${valueList('versions', 'int')}, ${valueList('quotes', 'text')}, ${valueList('pages', 'int')},
      ${valueList('starts', 'int')}, ${valueList('ends', 'int')}) as cited (id, n, document_id, version, quote, page, start, "end")`,
);

/**
 * Stores an answer with its citations, and the reply where it can be asked for again: then it fails where the same
 * question has been answered meanwhile (`wasKeptMeanwhile`), and nothing of it is stored. The audit log tells that
 * somebody asked, and of which stored answer, never what: the log is kept for longer and for other eyes than questions.
 */
export async function record(
  tx: Tx,
  { question, saidBefore, isTrial, started, manner: _, facts, repeatable, ...by }: Asked,
  answer: Stored,
  cited: readonly CitedQuote[],
  writing?: Writing,
): Promise<void> {
  const { userId } = by;
  const { queryId, answered } = answer;
  const event = { action: 'question-asked', by, details: { queryId, answered } } as const;
  await storing.run(tx, {
    ...auditValues(event),
    queryId,
    userId,
    question,
    saidBefore: saidBefore ?? null,
    isTrial: isTrial ?? false,
    answer: answer.answer,
    answered,
    unsupported: answer.unsupported ? JSON.stringify(answer.unsupported) : null,
    unchecked: answer.unchecked ? JSON.stringify(answer.unchecked) : null,
    notice: answer.notice ?? null,
    model: writing?.model ?? null,
    readDocuments: writing?.readDocuments ?? null,
    inputTokens: writing?.usage?.inputTokens ?? null,
    outputTokens: writing?.usage?.outputTokens ?? null,
    durationMs: Math.round(performance.now() - started),
    replyId: repeatable?.id ?? null,
    asked: repeatable?.asked ?? null,
    reply: repeatable ? JSON.stringify({ ...answer, ...facts }) : null,
    toldOf: repeatable ? documentsOf(answer, writing) : null,
    ids: cited.map(({ id }) => id),
    numbers: cited.map(({ n }) => n),
    documents: cited.map(({ documentId }) => documentId),
    versions: cited.map(({ version }) => version),
    quotes: cited.map(({ text }) => text),
    pages: cited.map(({ page }) => page),
    starts: cited.map(({ start }) => start),
    ends: cited.map(({ end }) => end),
  });
}

/** The documents of which words stand in it. */
function documentsOf({ sources, closest = [] }: Stored, writing: Writing | undefined): string[] {
  const shown = [...sources, ...closest].map(({ documentId }) => documentId);
  return [...new Set([...shown, ...(writing?.readDocuments ?? [])])];
}
