import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { entitlementsOf } from '#contract/entitlements.ts';
import type { Actor } from '#server/calls/actor.ts';
import { readConfig } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { createAnswers } from '#server/features/answers/answers.ts';
import type { RankingWeights } from '#server/features/retrieval/ranking/weights.ts';
import { createRetrieval, type Retrieval } from '#server/features/retrieval/retrieval.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import { openAiEmbeddings } from '#server/ports/embeddings/openai-embeddings.ts';
import { rerankApi } from '#server/ports/reranker/rerank-api.ts';
import { openLanceSearch } from '#server/ports/search/lance.ts';
import { insertCompany, type LoadedDocument, loadDocuments, type Source } from '#server/testing/corpus.ts';

/** A company with its documents in a database and a search table of its own. */
export interface Corpus {
  actor: Actor;
  /** In the order of the sources. */
  documents: LoadedDocument[];
}

/** The product's own retrieval and answers, in this process, on an empty database and an empty search store. */
export interface Harness {
  db: Database;
  retrieval: Retrieval;
  /** The same by other weights. */
  retrievalBy(weights: RankingWeights): Retrieval;
  answers: ReturnType<typeof createAnswers>;
  /** The embedding model and the reranker, where the environment names them as for the server. */
  services: string[];
  /** Puts documents into a new company. */
  load(sources: Source[]): Promise<Corpus>;
  close(): Promise<void>;
}

export async function openHarness(): Promise<Harness> {
  const log = pino({ level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'footnote-evals-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: folder, log });
  const db = await openDatabase(postgres.connection, { name: 'evals', log });
  const config = readConfig({ BILLING: 'off', LOG_LEVEL: 'warn', ...process.env });
  const embeddings = config.embeddings && openAiEmbeddings(config.embeddings);
  const reranker = config.reranker && rerankApi(config.reranker);
  const search = await openLanceSearch({ root: join(folder, 'search'), log, vectorModel: embeddings?.model });
  const retrievalBy = (weights?: RankingWeights) =>
    createRetrieval({ db, search, embeddings, reranker, log, ...(weights && { weights }) });
  const retrieval = retrievalBy();
  return {
    db,
    retrieval,
    retrievalBy,
    services: [embeddings, reranker].flatMap((service) => (service ? [service.name] : [])),
    answers: createAnswers({ db, retrieval }),
    async load(sources) {
      const companyId = await insertCompany(db);
      // Ids decide which passages the statistics of a company's words are drawn from: the same ones in every run.
      let made = 0;
      const newId = () => uuidOf(`evals ${made++}`);
      const documents = await loadDocuments(db, search, companyId, sources, embeddings, newId);
      const entitlements = entitlementsOf(
        { state: 'none', plan: null, currentPeriodEnd: null, pastDueSince: null },
        new Date(),
        'off',
      );
      const actor: Actor = {
        userId: randomUUID(),
        email: 'evals@example.com',
        companyId,
        role: 'member',
        authenticatedAt: new Date(),
        entitlements,
      };
      return { actor, documents };
    },
    async close() {
      await search.close();
      await db.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
