/**
 * `npm run backup`: everything that the service has, in a folder, also while it runs.
 *
 *   BACKUP_PASSPHRASE=… npm run backup -- <folder>
 *   npm run backup -- --plain <folder>
 *   npm run backup -- verify <folder>
 */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp, verifyBackup } from '#server/backup/backup.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { secretKeyPath } from '#server/lib/sealed.ts';
import { openFiles } from '#server/ports/files/open.ts';
import { withConnection } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

const usage = 'usage: npm run backup -- [verify] [--plain] <folder>';

process.umask(0o077);
try {
  const { values, positionals } = parseArgs({ options: { plain: { type: 'boolean' } }, allowPositionals: true });
  const verifies = positionals[0] === 'verify' && positionals.length === 2;
  const folder = positionals[verifies ? 1 : 0];
  if (folder === undefined || positionals.length > (verifies ? 2 : 1)) throw new CannotStart(usage);
  const config = readConfig({ BILLING: 'off', ...process.env });
  if (verifies) await verify(resolve(folder), config);
  else await make(folder, values.plain === true, config);
} catch (error) {
  tellFailure(error);
}

async function make(where: string, isPlain: boolean, config: Config): Promise<void> {
  if (/^\w+:\/\//.test(where)) throw new CannotStart('A backup goes into a folder, which may be a mounted one.');
  const folder = resolve(where);
  if (!relative(config.dataDir, folder).startsWith('..'))
    throw new CannotStart('A backup within DATA_DIR is lost with it. Name a folder elsewhere.');
  if (config.backupPassphrase === undefined && !isPlain)
    throw new CannotStart(
      'A backup holds every document and the keys that sign sign-ins. Set BACKUP_PASSPHRASE, which seals it and without\n' +
        'which it can not be opened, or say --plain where the place that it goes to is safe by itself.',
    );
  const passphrase = isPlain ? null : (config.backupPassphrase ?? null);
  // It reads alone, and may have keys that can do no more.
  const files = await openFiles(config, { isChecked: false });
  const made = await withConnection(config, (connection) =>
    backUp({ connection, files, folder, passphrase, secretKeyPath: secretKeyPath(config.dataDir) }),
  ).finally(() => files.close?.());
  console.log(
    `${folder}: ${made.rows} rows of ${made.tables} tables and ${made.originals} originals, ` +
      `${(made.bytes / 1e6).toFixed(1)} MB${passphrase === null ? ', not sealed' : ', sealed'}; read again and right.`,
  );
  if (made.lost.length === 0) return;
  console.error(
    `Of ${made.lost.length} documents the original is not there, or not as it was uploaded:\n  ${made.lost.join('\n  ')}`,
  );
  process.exitCode = 1;
}

async function verify(folder: string, { backupPassphrase }: Config): Promise<void> {
  const found = await verifyBackup(folder, backupPassphrase ?? null);
  console.log(`${folder}: ${found.rows} rows of ${found.tables} tables and ${found.originals} originals are right.`);
}
