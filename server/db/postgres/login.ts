import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { type ServerOptions, startServer, stopServer, superuser } from './server.ts';

/**
 * As whom the service works on its database: the owner of the tables, who is no superuser and can't become one. Nobody
 * can log in as the superuser; what only that one may do is done at a start, before anyone else gets in.
 */
export interface Login {
  user: string;
  password: string;
}

const service = 'footnote_service';
const database = 'postgres';
/** Of the role: when what is set up below changes, a new number has it set up again. */
const version = 2;
const saved = z.object({ version: z.literal(version), user: z.string(), password: z.string() });

/**
 * The login that the folder of the database holds. Where there is none, as in data from before there was one, the role
 * is made, with a password of its own, and given all that the superuser owned.
 * @param folder the one of the database, whose owner alone can read the login
 */
export async function prepareLogin(options: ServerOptions, folder: string): Promise<Login> {
  const found = await readLogin(folder);
  if (found) return found;
  const login = { user: service, password: randomBytes(32).toString('base64url') };
  await administer(options, loginStatements(login));
  // Last: a start that was cut off before sets everything up again.
  const path = join(folder, 'login.json');
  const part = `${path}.new`;
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify({ version, ...login }));
    const { uid, gid = uid } = options.runner.ids;
    // Whoever owns the data may start Footnote on it, too.
    if (uid !== undefined && gid !== undefined) await file.chown(uid, gid);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  return login;
}

/** @returns null where there is none, or one of another version */
export async function readLogin(folder: string): Promise<Login | null> {
  const text = await readFile(join(folder, 'login.json'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const { user, password } = saved.parse(JSON.parse(text));
    return { user, password };
  } catch {
    return null;
  }
}

/** Has the login made anew by the next `prepareLogin`. */
export async function forgetLogin(folder: string): Promise<void> {
  await rm(join(folder, 'login.json'), { force: true });
}

/** Runs statements as the superuser, on a server that is started for it, and that nobody else can log in to. */
export async function administer(options: ServerOptions, statements: readonly string[]): Promise<void> {
  const server = await startServer(options, null);
  try {
    const client = new pg.Client({ host: options.sockets, user: superuser, database });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  } finally {
    await stopServer(server);
  }
}

/** What the superuser runs for it, once or again, in a database that holds things of ours or none. */
export function loginStatements({ user, password }: Login): string[] {
  const missing = (role: string) =>
    `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if; end $$`;
  return [
    missing(user),
    missing('footnote_app'),
    `alter role ${user} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${verifierOf(password)}'`,
    'alter role footnote_app nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls',
    `alter role ${superuser} password null`,
    `grant footnote_app to ${user} with set true, inherit false, admin false`,
    `alter database ${database} owner to ${user}`,
    handOver(user),
  ];
}

/**
 * Gives what the superuser owns to the service: data from before had no other owner. `reassign owned` refuses, since
 * the superuser owns the system's own objects as well.
 */
function handOver(to: string): string {
  return `
    do $$
    declare statement text;
    begin
      create temporary table ours on commit drop as
        select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema';
      for statement in
        select format('alter schema %I owner to ${to}', nspname) from pg_namespace
          where oid in (select oid from ours) and nspowner = '${superuser}'::regrole
        union all
        select format('alter table %s owner to ${to}', oid::regclass) from pg_class
          where relnamespace in (select oid from ours) and relowner = '${superuser}'::regrole
            and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
            -- A sequence that belongs to a column goes with its table.
            and not (relkind = 'S' and exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass
              and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')))
        union all
        select format('alter type %s owner to ${to}', oid::regtype) from pg_type
          where typnamespace in (select oid from ours) and typowner = '${superuser}'::regrole
            and typtype in ('e', 'd', 'r')
        union all
        select format('alter routine %s owner to ${to}', oid::regprocedure) from pg_proc
          where pronamespace in (select oid from ours) and proowner = '${superuser}'::regrole
      loop
        execute statement;
      end loop;
    end $$`;
}

/** What PostgreSQL keeps of a password (RFC 5803); made here, so that the password is in no statement. */
function verifierOf(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
