import { wholeCompany } from '#server/db/audience.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import type { SearchStore } from '#server/ports/search/port.ts';

export interface Asked {
  companyId: string;
  question: string;
  /** A document that its answer cited is among the first passages again. */
  isFound: boolean;
}

const questionsAsked = 3;
/** As many as quotes are taken from. */
const passagesLookedAt = 8;

/**
 * Asks again what people have asked, the newest first, of companies in turn: questions that say enough by themselves,
 * and whose answers cited what is still there. Nothing is stored, and no outside service is asked.
 */
export async function askAgain({ db, search }: { db: Database; search: SearchStore }): Promise<Asked[]> {
  const { rows } = await db.asSystem((tx) =>
    tx.execute<{ companyId: string; question: string; cited: string[] }>(sql`
      select company_id as "companyId", question, cited from (
        select queries.company_id, queries.question, queries.created_at, array_agg(distinct documents.id::text) as cited,
          row_number() over (partition by queries.company_id order by queries.created_at desc) as turn
        from queries
        join citations on citations.company_id = queries.company_id and citations.query_id = queries.id
        join documents on documents.company_id = citations.company_id and documents.id = citations.document_id
          and documents.current_version = citations.version and documents.deleted_at is null
        where answered and not is_trial and said_before is null
        group by queries.company_id, queries.id) as asked
      order by turn, created_at desc limit ${questionsAsked}`),
  );
  const retrieval = createRetrieval({ db, search });
  const signal = new AbortController().signal;
  const asked: Asked[] = [];
  for (const { companyId, question, cited } of rows) {
    const request = { text: question, limit: passagesLookedAt, byWordsAlone: true };
    const prepared = await retrieval.prepare(wholeCompany(companyId), request, signal);
    const { passages } = await db.asCompany(companyId, (tx) => retrieval.search(tx, prepared));
    asked.push({ companyId, question, isFound: passages.some(({ documentId }) => cited.includes(documentId)) });
  }
  return asked;
}
