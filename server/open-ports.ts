import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import { connect } from './db/connect.ts';
import { openSessionLocks } from './db/session-locks.ts';
import { openMailer } from './mailer.ts';
import { openAiEmbeddings } from './ports/embeddings/openai-embeddings.ts';
import { openExportFiles, openFiles } from './ports/files/open.ts';
import { openEmbeddedIdentity } from './ports/identity/embedded.ts';
import { openIdentityToolkit } from './ports/identity/identity-toolkit.ts';
import { openLanguageModel, openSecondReader } from './ports/language-model/open.ts';
import { rerankApi } from './ports/reranker/rerank-api.ts';
import { openSearch } from './ports/search/open.ts';

/**
 * Opens the implementation of each port that the configuration names.
 * @param closers what ends them is added here, to be run last first
 */
export async function openPorts(config: Config, log: Logger, closers: (() => Promise<void>)[]) {
  const db = await connect(config, log, closers);
  const sessionLocks = openSessionLocks(db.connection, log);
  closers.push(() => sessionLocks.close());
  const files = await openFiles(config, { log });
  closers.push(async () => files.close?.());
  const exportFiles = await openExportFiles(config, log);
  closers.push(async () => exportFiles.close?.());
  const provider = config.identityToolkit
    ? await openIdentityToolkit(db, config.identityToolkit)
    : await openEmbeddedIdentity(db, config.publicUrl);
  const embeddings = config.embeddings && openAiEmbeddings(config.embeddings);
  const search = await openSearch(config, {
    connection: db.connection,
    listen: db.listen,
    locks: sessionLocks,
    log,
    vectorModel: embeddings?.model,
  });
  closers.push(() => search.close());
  const { mailer, shown: shownOutbox } = await openMailer(config, db, log);
  closers.push(() => mailer.close());
  const languageModel = config.languageModel && openLanguageModel(config.languageModel);
  const secondReader = openSecondReader(config.secondReader, languageModel);
  const reranker = config.reranker && rerankApi(config.reranker);
  const names = {
    database: db.name,
    files: files.name,
    search: search.name,
    identity: provider.name,
    mail: mailer.name,
    languageModel: languageModel?.name ?? 'none: quotes alone',
    embeddings: embeddings?.name ?? 'none',
    reranker: reranker?.name ?? 'none',
    secondReader: secondReader?.name ?? 'none',
  };
  return {
    db,
    sessionLocks,
    files,
    unfinished: files.unfinished(db),
    exportFiles,
    provider,
    embeddings,
    search,
    mailer,
    shownOutbox,
    languageModel,
    secondReader,
    reranker,
    names,
  };
}
