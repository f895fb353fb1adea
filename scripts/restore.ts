/**
 * `npm run restore`: brings a backup back, into an empty DATA_DIR and, where DATABASE_URL is set, an empty database.
 *
 *   BACKUP_PASSPHRASE=… npm run restore -- <folder> --ledger <file>
 *   npm run restore -- <folder> --without-ledger
 *
 * The ledger says what was deleted since the backup was made (`ERASURE_LEDGER`).
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restore } from '#server/backup/restore.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { createLog } from '#server/http/log.ts';
import { erasureLedger, readErasureLedger } from '#server/lib/erasure-ledger.ts';
import { makePrivate } from '#server/lib/private-folder.ts';
import { secretKeyPath } from '#server/lib/sealed.ts';
import { openFiles } from '#server/ports/files/open.ts';
import { openServiceSearch, withConnection } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

process.umask(0o077);
try {
  const { values, positionals } = parseArgs({
    options: { ledger: { type: 'string' }, 'without-ledger': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new CannotStart('usage: npm run restore -- <folder> --ledger <file>');
  const config = readConfig({ BILLING: 'off', LOG_LEVEL: 'warn', ...process.env });
  await bringBack(resolve(folder), await erasedSince(values.ledger, values['without-ledger'] === true), config);
} catch (error) {
  tellFailure(error);
}

async function erasedSince(ledger: string | undefined, without: boolean): Promise<string[]> {
  if (without && ledger === undefined) return [];
  if (ledger === undefined)
    throw new CannotStart(
      'What was deleted since the backup was made stands in the ledger of erasures (ERASURE_LEDGER, else erased.txt in\n' +
        'DATA_DIR): name it with --ledger <file>. Where it is lost, say --without-ledger, and tell the companies that\n' +
        'documents they have deleted since may be back.',
    );
  return readErasureLedger(ledger).catch((cause) => {
    if (cause.code !== 'ENOENT') throw new CannotStart(`${ledger} can't be read.`, { cause });
    throw new CannotStart(
      `There is no ${ledger}. It is made by the first deletion: where nothing was ever deleted, say --without-ledger.`,
      { cause },
    );
  });
}

async function bringBack(folder: string, erased: string[], config: Config): Promise<void> {
  await makePrivate(config.dataDir);
  const log = createLog(config.logLevel);
  const files = await openFiles(config);
  const passphrase = config.backupPassphrase ?? null;
  const done = await withConnection(config, async (connection) => {
    const search = await openServiceSearch(config, connection);
    return restore({
      connection,
      files,
      search,
      folder,
      passphrase,
      secretKeyPath: secretKeyPath(config.dataDir),
      erased,
      log,
    }).finally(() => search.close());
  }).finally(() => files.close?.());
  // It holds for the backups that are still there, too.
  await erasureLedger(config.erasureLedger).note(erased);
  console.log(
    `Restored as of ${done.madeAt}: ${done.rows} rows, ${done.originals} originals, ${done.companies} ` +
      `${done.companies === 1 ? 'company' : 'companies'} with documents, search built anew.`,
  );
  for (const { companyId, name } of done.deletedAgain)
    console.log(`  deleted again, as it had been since: "${name}" of ${companyId}`);
  for (const { companyId, name } of done.endedAgain)
    console.log(`  ends again, as it had since: ${name} (${companyId})`);
  for (const { companyId, question, isFound } of done.asked)
    console.log(
      `  asked again (${companyId}): "${question}" ${isFound ? 'finds what it cited' : 'does NOT find what it cited'}`,
    );
  if (done.asked.some(({ isFound }) => !isFound)) process.exitCode = 1;
}
