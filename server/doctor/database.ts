import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#server/config/config.ts';
import { drizzle } from '#server/db/drizzle.ts';
import { isOlder, refuseUnreadable } from '#server/db/migrate.ts';
import { refuseTransactionPooler } from '#server/db/pooler.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { countSealed } from '#server/features/identity/keys.ts';
import { openSealer, secretKeyPath } from '#server/lib/sealed.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';
import { examineBackup } from './backup.ts';
import { type Finding, inWords } from './finding.ts';

/** Reaches the service's database as it is, also while the service uses it. */
export type WithConnection = <T>(work: (connection: pg.PoolConfig) => Promise<T>) => Promise<T>;

/** The oldest of which the statements of this version are known to work. */
const oldestVersion = 15;

/**
 * The database, the role that the service is there, whether the key is here that opens what is sealed in it, and when
 * all of it was last backed up.
 */
export async function examineDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKey' | 'secretKeyBefore' | 'host' | 'publicUrl'>,
  withConnection: WithConnection,
  now = new Date(),
): Promise<Finding[]> {
  const about = 'Database';
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres')))
    return [{ about, state: 'unknown', says: 'The embedded one is made at the first start.' }];
  try {
    return await withConnection(async (connection) => {
      if (config.databaseUrl !== undefined) await refuseTransactionPooler(connection);
      const client = new pg.Client(connection);
      await client.connect();
      try {
        await refuseUnreadable(client);
        return [
          await examineRole(client),
          ...(await examineKey(client, config)),
          await drizzle(client).transaction((tx) => examineBackup(tx, servesThisMachineAlone(config), now)),
        ];
      } finally {
        await client.end();
      }
    });
  } catch (error) {
    if (error instanceof CannotStart) return [{ about, state: 'wrong', says: error.message }];
    const todo = 'See DATABASE_URL, and whether the database lets this machine in.';
    return [{ about, state: 'wrong', says: `It can't be reached: ${inWords(error)}.`, todo }];
  }
}

async function examineRole(client: pg.Client): Promise<Finding> {
  const about = 'Database';
  const { rows } = await client.query<{ version: number; rolsuper: boolean; rolbypassrls: boolean; encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version, rolsuper, rolbypassrls,
            current_setting('server_encoding') as encoding
     from pg_roles where rolname = session_user`,
  );
  const [role] = rows;
  if (!role) throw new Error('the role is not known');
  const is = `PostgreSQL ${role.version}`;
  if (role.version < oldestVersion) {
    const todo = `Take it to ${oldestVersion} or newer.`;
    return { about, state: 'wrong', says: `${is} is too old.`, todo };
  }
  if (role.encoding !== 'UTF8')
    return { about, state: 'wrong', says: `It keeps text as ${role.encoding}.`, todo: 'Make it with encoding UTF8.' };
  if (role.rolsuper || role.rolbypassrls) {
    const todo = 'One that owns the database is enough: docs/operations.md, “Users and rights”, has the lines.';
    return { about, state: 'notice', says: `${is}; its role may do more than the service needs.`, todo };
  }
  return { about, state: 'right', says: `${is}, by a role that owns the database and is no superuser.` };
}

async function examineKey(
  client: pg.Client,
  config: Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyBefore'>,
): Promise<Finding[]> {
  const about = 'Key';
  if (await isOlder(client)) {
    const says = 'Not known yet: the database is of an older version, and is brought up to date by the next start.';
    return [{ about, state: 'unknown', says }];
  }
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('second_factors') is not null as made`);
  const isThere = config.secretKey !== undefined || existsSync(secretKeyPath(config.dataDir));
  // Asking for the key where there is none would make one; with one that has sealed nothing, none can be opened.
  const place = isThere ? config : { ...config, secretKey: randomBytes(32).toString('hex') };
  const sealer = rows[0]?.made ? await openSealer(place) : null;
  const { all, closed } = sealer
    ? await drizzle(client).transaction((tx) => countSealed(tx, sealer))
    : { all: 0, closed: 0 };
  if (closed === 0)
    return isThere && sealer
      ? [{ about, state: 'right', says: `It opens all ${all} secrets in the database.` }]
      : [{ about, state: 'unknown', says: 'It is made at the first start.' }];
  const says = isThere
    ? `It does not open ${closed} of ${all} secrets in the database.`
    : `It is not here, and ${all} secrets in the database were sealed with one. A start makes another, which opens none.`;
  return [{ about, state: 'wrong', says, todo: whereTheKeyGoes(config) }];
}

function whereTheKeyGoes({ secretKey }: Pick<Config, 'secretKey'>): string {
  const anew =
    'then `npm run keys -- rotate sealed-secrets`. docs/runbooks.md, “The key is lost”, says what if there is none.';
  return secretKey === undefined
    ? `Write the key of before into the file secret.key in DATA_DIR, below what may stand there, ${anew}`
    : `Set SECRET_KEY_BEFORE to the key of before, ${anew}`;
}
