import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import type { ProcessingDeps } from '#server/features/documents/documents.ts';
import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import { openOwnFolder } from './lib/own-folder.ts';

/**
 * Opens what a process that works on jobs reads files with.
 * @param closers what ends it is added here
 */
export async function openProcessing(
  { ocrLanguages, dataDir, databaseUrl }: Pick<Config, 'ocrLanguages' | 'dataDir' | 'databaseUrl'>,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<ProcessingDeps> {
  const sandbox = await createSandbox({ log, ocrLanguages });
  closers.push(() => sandbox.close());
  const temp = await openOwnFolder(join(dataDir, 'temp'), { alone: databaseUrl === undefined });
  closers.push(() => temp.close());
  return { sandbox, temp };
}
