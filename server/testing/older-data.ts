import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { type Client, createClient } from '#client/client.ts';
import { type Binaries, findPreviousBinaries } from '#server/db/postgres/binaries.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import type { CrashPoint, FileCrashPoint } from './crash-point.ts';
import { goodPassword } from './factories.ts';
import { addressOf } from './outside-postgres.ts';
import { allEnded, makePlace, type Place, startServerProcess } from './server-process.ts';

// What the service leaves on the PostgreSQL before the one that it comes with.

export const question = 'Where does the cellar key hang?';
export const email = 'admin@example.com';
const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');
const log = pino({ level: 'silent' });

export interface OlderPlace {
  place: Place;
  /** A session that was open when the service stopped. */
  token: string;
  companyId: string;
  /** As it was answered. */
  answer: { answer: string; quotes: unknown[] };
  /** Who owns what, and who may do what, in the database. */
  rights: unknown[];
}

/**
 * Data of a company on the older PostgreSQL: a document that is read, one that was deleted, one that still waits to be
 * read, and an answer with its source.
 */
export async function makeOlderPlace(): Promise<OlderPlace> {
  const place = await makePlace();
  const older = await startPostgres({ dataDir: place.dataDir, log, binaries: await previousBinaries() });
  const settings = { DATABASE_URL: addressOf(older.connection) };
  const first = await startServerProcess(place, settings);
  const signedUp = await createClient(first.url).call('signUp', { companyName: 'One', email, password: goodPassword });
  const { idToken: token, user } = signedUp;
  const client = createClient(first.url, token);
  await client.upload('Rules.md', rules);
  await client.upload('Old.md', Buffer.from('The attic key hangs on the blue hook.\n'));
  await client.filesWhenRead();
  const answer = await askIn(client);
  await client.call('deleteFile', { filePath: `${user.companyId}/Old.md` });
  await first.stop();
  // One that takes no jobs: what is uploaded waits.
  const second = await startServerProcess(place, { ...settings, ROLE: 'web' });
  await createClient(second.url, token).upload('Waiting.md', Buffer.from('The boiler is serviced in May.\n'));
  await second.stop();
  const database = new pg.Client(older.connection);
  await database.connect();
  // The queue has a part for every day; this is of another one than today.
  await database.query(`create table pgboss.queue_stats_20260101 partition of pgboss.queue_stats
    for values from ('2026-01-01 00:00:00+00') to ('2026-01-02 00:00:00+00')`);
  const rights = (await database.query(rightsStatement)).rows;
  await database.end();
  await older.stop();
  return { place, token, companyId: user.companyId, answer, rights };
}

export async function previousBinaries(): Promise<Binaries> {
  const found = await findPreviousBinaries();
  if (!found) throw new Error('postgres-previous is not installed');
  return found;
}

/** The recorded question's answer, and what it quotes. */
export async function askIn(client: Client): Promise<OlderPlace['answer']> {
  const history = [{ role: 'user' as const, parts: [{ text: question }] }];
  const { answer, sources } = await client.call('query', { history });
  return { answer, quotes: sources.map(({ documentId, quote }) => ({ documentId, quote })) };
}

/**
 * Owners, grants, policies, functions and what numbers rows; of the queue without the parts that it makes by the day.
 */
export const rightsStatement = `
  select format('%I.%I', nspname, relname) as name, relkind::text as kind, pg_get_userbyid(relowner) as owner,
    relacl::text as granted, relrowsecurity as secured, relforcerowsecurity as forced,
    (select json_agg(json_build_array(polname, polcmd, polpermissive, polroles::regrole[]::text,
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) order by polname)
      from pg_policy where polrelid = class.oid) as policies
  from pg_class class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'pgboss', 'drizzle') and relkind in ('r', 'p', 'S', 'v') and not relispartition
  union all
  select proc.oid::regprocedure::text, 'function', pg_get_userbyid(proowner), proacl::text, prosecdef, null,
    to_json(md5(prosrc))
  from pg_proc proc join pg_namespace on pg_namespace.oid = pronamespace where nspname in ('public', 'pgboss')
  union all
  select rolname, 'role', null, (select string_agg(roleid::regrole::text, ',') from pg_auth_members where member = oid),
    rolcanlogin, rolbypassrls or rolsuper or rolcreaterole, null
  from pg_roles where rolname like 'footnote%'
  order by 1`;

export type UpgradeCrash = CrashPoint | FileCrashPoint;

/**
 * Starts the real program on the data, has it killed at the point, and waits until nothing of it runs.
 * @throws Error where it came to serve instead
 */
export async function startUntilKilled(place: Place, point: UpgradeCrash): Promise<void> {
  const started = await startServerProcess(place, { CRASH_AT: JSON.stringify(point) }).catch((error: Error) => error);
  if (!(started instanceof Error)) started.kill();
  if (!(started instanceof Error && started.message.startsWith('the server ended (SIGKILL)')))
    throw new Error(`was not killed at ${JSON.stringify(point)}`, { cause: started });
  await allEnded(place);
}

/** The folders of data, the newer's and the older's, that lie there. */
export async function clustersIn({ dataDir }: Pick<Place, 'dataDir'>): Promise<string[]> {
  const names = await readdir(join(dataDir, 'postgres'));
  return names.filter((name) => /^pg($|\.)/.test(name)).sort();
}
