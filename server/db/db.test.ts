import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { type Database, openDatabase, type Tx } from './db.ts';
import { type SQL, sql } from './drizzle.ts';
import { keptStatement } from './kept-statement.ts';
import journal from './migrations/meta/_journal.json' with { type: 'json' };
import { companies, documents } from './schema.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let db: Database;
const [one, two] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log });
  for (const id of [one, two]) {
    await db.asSystem(async (tx) => {
      await tx.insert(companies).values({ id, name: id, ownerId: randomUUID() });
      await tx.insert(documents).values([newDocument(id), newDocument(id)]);
    });
  }
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

function newDocument(companyId: string) {
  const id = randomUUID();
  return { companyId, id, name: id, nameKey: id, newestVersion: 1 };
}

async function rows(tx: Tx, query: SQL): Promise<Record<string, unknown>[]> {
  return (await tx.execute(query)).rows;
}

/** Tables with a company's data that the database does not keep apart, and what the app role may do beyond. */
async function leaks(tx: Tx): Promise<string[]> {
  const unprotected = await rows(
    tx,
    sql`select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (c.relname = 'companies' or exists (
            select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped))
          and not (c.relrowsecurity and exists (
            select 1 from pg_policies p
            where p.schemaname = 'public' and p.tablename = c.relname and p.cmd = 'ALL' and p.roles = '{footnote_app}'
              and p.qual = p.with_check
              and p.qual like '(' || case when c.relname = 'companies' then 'id' else 'company_id' end
                || ' = ( SELECT (NULLIF(current_setting(''app.company_id''%')
            and (select count(*) from pg_policies p
                 where p.schemaname = 'public' and p.tablename = c.relname and p.permissive = 'PERMISSIVE') = 1)`,
  );
  const granted = await rows(
    tx,
    sql`select c.relname as name from pg_class c
        where c.relnamespace in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
          and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relrowsecurity
          and not (c.relkind = 'v' and coalesce(c.reloptions, '{}') @> '{security_invoker=true}')
          and has_any_column_privilege('footnote_app', c.oid, 'select, insert, update')`,
  );
  return [...new Set([...unprotected, ...granted].map(({ name }) => String(name)))];
}

describe('row-level security', () => {
  test('covers every table of a company, and the role has nothing else', async () => {
    expect(await db.asSystem(leaks)).toEqual([]);
    const [role] = await db.asSystem((tx) =>
      rows(tx, sql`select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = 'footnote_app'`),
    );
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false });
  });

  test.each([
    ['a table without a policy', 'forgotten', sql`create table forgotten (company_id uuid)`],
    ['a policy that is not switched on', 'documents', sql`alter table documents disable row level security`],
    [
      'one that lets all through',
      'documents',
      sql`create policy all_through on documents to footnote_app using (true)`,
    ],
    ['a grant on a secret', 'service_keys', sql`grant select on service_keys to footnote_app`],
    ['a grant on a part of one', 'service_keys', sql`grant select (jwk) on service_keys to footnote_app`],
    [
      'a view with the rights of its owner',
      'seen',
      sql`do $$ begin create view seen as select * from documents; grant select on seen to footnote_app; end $$`,
    ],
  ])('the list above would name %s', async (_, name, mistake) => {
    let found: string[] = [];
    const rolledBack = db.asSystem(async (tx) => {
      await tx.execute(mistake);
      found = await leaks(tx);
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    expect(found).toEqual([name]);
  });

  test('whatever names a document is kept from those who may not see it', async () => {
    const open = await db.asSystem((tx) =>
      rows(
        tx,
        sql`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
              and (a.attname in ('document_id', 'collection_id', 'group_id') or c.relname in ('documents', 'collections', 'groups'))
              and not exists (
                select 1 from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
                  and p.permissive = 'RESTRICTIVE' and p.cmd = 'ALL' and p.roles = '{footnote_app}' and p.qual = p.with_check)
            group by c.relname`,
      ),
    );
    // What lies in an export is read by jobs, and for whoever may download it whole.
    expect(open.map(({ name }) => name)).toEqual(['export_entries']);
  });

  test('every table of a company can be read and written by its role, but the audit log only added to', async () => {
    const missing = await db.asSystem((tx) =>
      rows(
        tx,
        sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity
            and relname not in ('audit_events', 'audit_chains') and not (has_table_privilege('footnote_app', oid, 'select') and has_table_privilege('footnote_app', oid, 'insert')
              and has_table_privilege('footnote_app', oid, 'update') and has_table_privilege('footnote_app', oid, 'delete'))`,
      ),
    );
    expect(missing).toEqual([]);
    const ofLog = await db.asSystem((tx) =>
      rows(
        tx,
        sql`select privilege from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as privilege
            where has_table_privilege('footnote_app', 'audit_events', privilege)
              or has_table_privilege('footnote_app', 'audit_chains', privilege)`,
      ),
    );
    // Events are added by their columns: where one stands in the chain is none of them.
    expect(ofLog.map(({ privilege }) => privilege)).toEqual(['select']);
    const columns = await db.asSystem((tx) =>
      rows(
        tx,
        sql`select column_name as name from information_schema.column_privileges
            where grantee = 'footnote_app' and table_name = 'audit_events' and privilege_type = 'INSERT' order by 1`,
      ),
    );
    expect(columns.map(({ name }) => name)).toEqual([
      'action',
      'actor_email',
      'actor_id',
      'at',
      'company_id',
      'details',
      'id',
      'ip',
      'target',
      'via',
    ]);
  });

  test('a company sees, changes and deletes its own rows only', async () => {
    await db.asCompany(one, async (tx) => {
      expect(new Set((await tx.select().from(documents)).map((row) => row.companyId))).toEqual(new Set([one]));
      expect((await tx.select().from(companies)).map((row) => row.id)).toEqual([one]);
      expect(await tx.update(documents).set({ name: 'mine' }).returning()).toHaveLength(2);
    });
    const rolledBack = db.asCompany(one, async (tx) => {
      expect(await tx.delete(documents).returning()).toHaveLength(2);
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    const all = await db.asSystem((tx) => tx.select().from(documents));
    expect(all.filter((row) => row.companyId === one && row.name === 'mine')).toHaveLength(2);
    expect(all.filter((row) => row.companyId === two && row.name !== 'mine')).toHaveLength(2);
  });

  test('a row can neither be put into another company nor moved there', async () => {
    const policy = { cause: { message: expect.stringContaining('violates row-level security policy') } };
    await expect(db.asCompany(one, (tx) => tx.insert(documents).values(newDocument(two)))).rejects.toMatchObject(
      policy,
    );
    await expect(db.asCompany(one, (tx) => tx.update(documents).set({ companyId: two }))).rejects.toMatchObject(policy);
  });

  test.each([
    ['the secrets of the service', sql`select * from service_keys`],
    ['the counters', sql`select * from rate_limits`],
    ['the words of mails', sql`select * from mails`],
    ['mails that were not sent', sql`select * from outbox_mails`],
    ['a change of what was done', sql`update audit_events set action = 'nothing'`],
    ['the removal of what was done', sql`delete from audit_events`],
    ['a table as a whole', sql`truncate documents cascade`],
    ['its definition', sql`alter table documents disable row level security`],
    ['new tables', sql`create table mine (id int)`],
    ['the migrations', sql`select * from drizzle.__drizzle_migrations`],
  ])('the role has no right to %s', async (_, statement) => {
    await expect(db.asCompany(one, (tx) => tx.execute(statement))).rejects.toMatchObject({
      cause: { code: '42501' },
    });
  });

  test('without a company there are no rows', async () => {
    const seen = await db.asSystem(async (tx) => {
      await tx.execute(sql`select set_config('role', 'footnote_app', true)`);
      return tx.select().from(documents);
    });
    expect(seen).toEqual([]);
  });

  test.each(['', 'x', `${one}'`, `${one} or true`, '*'])('%j is no company', async (companyId) => {
    await expect(db.asCompany(companyId, async () => 'reached')).rejects.toThrow('not a company id');
  });
});

describe('a pooled connection', () => {
  test('is clean after every end, however many transactions run at once', async () => {
    const wrong: unknown[] = [];
    const ended = await Promise.allSettled(
      Array.from({ length: 300 }, async (_, i) => {
        if (i % 3 === 0) {
          const [state] = await db.asSystem((tx) =>
            rows(
              tx,
              sql`select current_user = session_user as owner, current_setting('app.company_id', true) as company`,
            ),
          );
          if (!state?.owner || state.company) wrong.push(state);
          return;
        }
        const companyId = i % 2 ? one : two;
        await db.asCompany(companyId, async (tx) => {
          const seen = await tx.select().from(documents);
          if (seen.length !== 2 || seen.some((row) => row.companyId !== companyId)) wrong.push(seen);
          if (i % 7 === 0) throw new Error('thrown');
          if (i % 11 === 0) await tx.execute(sql`select 1 / 0`);
        });
      }),
    );
    expect(wrong).toEqual([]);
    expect(ended.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(20);
  });

  test('has a statement planned once, and each company sees its own rows by it', async () => {
    const single = await openDatabase({ ...database.connection, max: 1 }, { name: 'single', log });
    const theDocuments = keptStatement<{ least: number }, { owner: string }>(
      'documents-of-a-test',
      sql`select ${documents.companyId} as owner from ${documents} where ${documents.newestVersion} >= ${sql.placeholder('least')}`,
    );
    const seen = (companyId: string) => single.asCompany(companyId, (tx) => theDocuments.run(tx, { least: 1 }));
    // PostgreSQL plans anew for the first five, then keeps one plan.
    for (let i = 0; i < 8; i++) {
      for (const companyId of [one, two])
        expect(await seen(companyId)).toEqual([{ owner: companyId }, { owner: companyId }]);
      expect(await single.statement(theDocuments.bind({ least: 2 }))).toEqual([]);
    }
    expect(await single.asSystem((tx) => theDocuments.run(tx, { least: 1 }))).toHaveLength(4);
    expect(await seen(randomUUID())).toEqual([]);
    const kept = await single.asSystem((tx) =>
      rows(
        tx,
        sql`select name, generic_plans > 0 as generic, (generic_plans + custom_plans)::int as times from pg_prepared_statements`,
      ),
    );
    expect(kept).toEqual([{ name: 'documents-of-a-test', generic: true, times: 26 }]);
    await single.close();
  });

  test('that breaks in a transaction fails that one alone, and not the process', async () => {
    const broken = db.asSystem(async (tx) => {
      const [self] = await rows(tx, sql`select pg_backend_pid() as pid`);
      await administer(`select pg_terminate_backend(${self?.pid}, 5000)`);
      await tx.execute(sql`select 1`);
    });
    await expect(broken).rejects.toThrow();
    expect(await db.asSystem((tx) => rows(tx, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });
});

test('connections that break as a transaction begins are given back: however many, the next one works', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fn-db-'));
  const behind = join(String(database.connection.host), '.s.PGSQL.5432');
  let breaks = 0;
  const server = createServer((socket) => {
    const through = connect(behind);
    socket.on('data', (piece) => {
      if (breaks > 0 && piece.includes('begin\0')) {
        breaks -= 1;
        socket.destroy();
      } else through.write(piece);
    });
    through.pipe(socket);
    for (const side of [socket, through]) side.on('error', () => {});
    socket.on('close', () => through.destroy());
    through.on('close', () => socket.destroy());
  }).listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  const own = await openDatabase({ ...database.connection, host: folder }, { name: 'own', log });
  const most = 20;
  breaks = most;
  for (let i = 0; i < most; i++) await expect(own.asSystem(async () => 'begun')).rejects.toThrow();
  expect(breaks).toBe(0);
  expect(await own.asCompany(one, (tx) => rows(tx, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  await own.close();
  server.close();
  await rm(folder, { recursive: true });
});

describe('notifications', () => {
  test('come when their transaction commits, and not when it is rolled back', async () => {
    const heard: unknown[] = [];
    const last = Promise.withResolvers<void>();
    const stop = await db.listen('files', (payload) => {
      heard.push(payload);
      if (payload.last) last.resolve();
    });
    await db.asCompany(one, async (tx) => {
      await db.notify(tx, 'files', { documentId: 'ä"\\' });
      expect(heard).toEqual([]);
    });
    const rolledBack = db.asCompany(one, async (tx) => {
      await db.notify(tx, 'files', { documentId: 'never' });
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    await db.asSystem((tx) => db.notify(tx, 'jobs', { documentId: 'elsewhere' }));
    await administer(`notify files, 'not JSON'`);
    await db.asSystem((tx) => db.notify(tx, 'files', { last: true }));
    await last.promise;
    expect(heard).toEqual([{ documentId: 'ä"\\' }, { last: true }]);
    stop();
  });

  test('reach every listener of every process, until it stops', async () => {
    const other = await openDatabase(database.connection, { name: 'other', log });
    const counts = [0, 0, 0];
    const second = Promise.withResolvers<void>();
    const stops = await Promise.all([
      db.listen('files', () => void counts.splice(0, 1, (counts[0] ?? 0) + 1)),
      db.listen('files', () => void counts.splice(1, 1, (counts[1] ?? 0) + 1)),
      other.listen('files', () => {
        counts[2] = (counts[2] ?? 0) + 1;
        if (counts[2] === 2) second.resolve();
      }),
    ]);
    await db.asSystem((tx) => db.notify(tx, 'files', { n: 1 }));
    await expect.poll(() => counts).toEqual([1, 1, 1]);
    stops[0]?.();
    await db.asSystem((tx) => db.notify(tx, 'files', { n: 2 }));
    await second.promise;
    await expect.poll(() => counts).toEqual([1, 2, 2]);
    for (const stop of stops) stop();
    await other.close();
  });

  test('are heard again after the connection broke, each once', async () => {
    const heard: unknown[] = [];
    const stop = await db.listen('files', ({ n }) => heard.push(n));
    await administer(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    let n = 0;
    await expect
      .poll(async () => {
        n += 1;
        await db.asSystem((tx) => db.notify(tx, 'files', { n }));
        return heard.length;
      })
      .toBeGreaterThan(2);
    expect(new Set(heard).size).toBe(heard.length);
    stop();
  });
});

describe('opening', () => {
  test('by several processes at once leaves one set of tables', async () => {
    const fresh = { ...database.connection, database: `fresh_${randomUUID().replaceAll('-', '')}` };
    await administer(`create database ${fresh.database} owner ${fresh.user}`);
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase(fresh, { name: 'fresh', log })));
    const applied = await opened[0]?.asSystem((tx) => rows(tx, sql`select id from drizzle.__drizzle_migrations`));
    expect(applied).toHaveLength(journal.entries.length);
    for (const each of opened) await each.close();
    await administer(`drop database ${fresh.database}`);
  });

  test('by an owner who is no superuser, and may not make roles, works where the role was given to it', async () => {
    const owner = `owner_${randomUUID().replaceAll('-', '')}`;
    const password = randomUUID();
    await administer(`create role ${owner} login nosuperuser nocreaterole password '${password}'`);
    await administer(`create database ${owner} owner ${owner}`);
    const connection = { ...database.connection, user: owner, password, database: owner };
    await expect(openDatabase(connection, { name: 'managed', log })).rejects.toThrow();
    await administer(`grant footnote_app to ${owner} with set true, inherit false`);
    const managed = await openDatabase(connection, { name: 'managed', log });
    await managed.asSystem((tx) => tx.insert(companies).values({ id: one, name: 'One', ownerId: one }));
    expect(await managed.asCompany(one, (tx) => tx.select().from(companies))).toHaveLength(1);
    expect(await managed.asCompany(two, (tx) => tx.select().from(companies))).toHaveLength(0);
    await managed.close();
    await administer(`drop database ${owner}`, `drop role ${owner}`);
  });

  test('where nothing answers fails', async () => {
    const nowhere = { ...database.connection, host: '/tmp/no-such-folder' };
    await expect(openDatabase(nowhere, { name: 'nowhere', log })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

function administer(...statements: string[]): Promise<void> {
  return database.administer(...statements);
}
