/**
 * `npm run reindex [company id ...]`: builds the search tables anew from what is stored, of all companies or of those
 * named. With the embedded database the service must be stopped; with one of its own it may go on.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { optimizeSearchTable, rewriteSearchTable } from '#server/features/documents/deletion/erase.ts';
import { companiesWithText } from '#server/features/documents/processing/search-chunks.ts';
import { createLog } from '#server/http/log.ts';
import { openServiceSearch } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

process.umask(0o077);
try {
  const config = readConfig({ BILLING: 'off', LOG_LEVEL: 'warn', ...process.env });
  await withDatabase(config, (db) => reindex(config, db, process.argv.slice(2)));
} catch (error) {
  tellFailure(error);
}

async function reindex(config: Config, db: Database, wanted: string[]): Promise<void> {
  const search = await openServiceSearch(config, db.connection);
  try {
    const all = await db.asSystem((tx) => companiesWithText(tx));
    const unknown = wanted.filter((id) => !all.some(({ companyId }) => companyId === id));
    if (unknown.length > 0) throw new CannotStart(`No company with documents has this id: ${unknown.join(', ')}`);
    const chosen = all.filter(({ companyId }) => wanted.length === 0 || wanted.includes(companyId));
    for (const { companyId, name } of chosen) {
      const rebuild = () => rewriteSearchTable({ db, search }, companyId);
      await rebuild().catch(async () => {
        // Vectors are read to be written anew, and may be too damaged for it. The next start makes new ones.
        for (const folder of config.searchPlace ? [] : await vectorFolders(join(config.dataDir, 'search')))
          for (const name of await readdir(folder).catch(() => []))
            if (name.startsWith(companyId)) await rm(join(folder, name), { recursive: true, force: true });
        await rebuild();
      });
      await optimizeSearchTable({ db, search }, companyId);
      console.log(`  ${name} (${companyId}): done`);
    }
    console.log(
      `The search tables of ${chosen.length} ${chosen.length === 1 ? 'company' : 'companies'} are built anew.`,
    );
  } finally {
    await search.close();
  }
}

/** Where companies have vectors: of each model in a place of its own. */
async function vectorFolders(root: string): Promise<string[]> {
  const vectors = join(root, 'vectors');
  const models = await readdir(vectors).catch(() => []);
  return models.map((name) => join(vectors, name));
}

async function withDatabase({ databaseUrl, dataDir, logLevel }: Config, work: (db: Database) => Promise<void>) {
  const log = createLog(logLevel);
  const postgres = databaseUrl === undefined ? await startPostgres({ dataDir, log }) : null;
  try {
    const connection = postgres?.connection ?? { connectionString: databaseUrl };
    const db = await openDatabase(connection, { name: 'PostgreSQL', log });
    await work(db).finally(() => db.close());
  } finally {
    await postgres?.stop();
  }
}
