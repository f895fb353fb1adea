import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import type { Client } from '#client/client.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { audit } from '#server/features/audit/audit.ts';
import { sealAudit } from '#server/features/audit/seal.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { askOverHttp, withCompany } from './company.ts';
import { milliseconds, percentile, type Row, seconds, timeOf } from './figures.ts';

/** Of one company; `BENCH_EVENTS` for a quick look. */
const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const rounds = 30;
/** What an event was written with before it could be listed and sealed. */
const addedIndexes = {
  audit_events_action: '(company_id, action, at)',
  audit_events_person: '(company_id, actor_id, at)',
  audit_events_unsealed: '(company_id, at) where sequence is null',
};

/** The audit log of one company with a million events. */
export function measureAudit(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => [
    ...(await inDatabase(dataDir, companyId)),
    ...(await askOverHttp(dataDir, overHttp)),
  ]);
}

async function inDatabase(dataDir: string, companyId: string): Promise<Row[]> {
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  // One connection, whose processor time is the figure.
  const db = await openDatabase({ ...postgres.connection, max: 1 }, { name: 'bench', log });
  try {
    await db.statement(sql`
      insert into audit_events (company_id, id, at, actor_id, actor_email, action, target, details, ip, via)
      select ${companyId}, gen_random_uuid(), now() - interval '400 days' * (1 - i::float8 / ${events}::int),
        ('00000000-0000-4000-8000-' || lpad((i % 2000)::text, 12, '0'))::uuid, 'person-' || i % 2000 || '@nordwind.example',
        case when i % 5000 = 0 then 'role-changed' when i % 10 = 0 then 'file-opened' else 'question-asked' end,
        'Document ' || i % 1000 || '.pdf', jsonb_build_object('answered', i % 2 = 0), '203.0.113.' || i % 250, 'session'
      from generate_series(1, ${events}::int) i`);
    const sealing = await timeOf(() => sealAudit(db));
    await db.statement(sql`vacuum analyze audit_events`);
    let findings = 0;
    const verifying = await timeOf(async () => {
      findings = (await verifyAudit(db, companyId)).findings.length;
    });
    return [
      [
        `${events.toLocaleString('en')} events given their places in the chain, as after an upgrade`,
        seconds(sealing),
        '',
      ],
      [`the same verified, ${findings} findings`, seconds(verifying), ''],
      ...(await writing(db, companyId)),
    ];
  } finally {
    await db.close();
    await postgres.stop();
  }
}

/** With the indexes and without, in turns, so that whatever else the machine does counts for both. */
async function writing(db: Database, companyId: string): Promise<Row[]> {
  const written = { with: [] as number[], without: [] as number[] };
  // The disk's time is the same for both, and long.
  await db.statement(sql`set synchronous_commit = off`);
  for (let turn = 0; turn < 6; turn++) {
    const which = turn % 2 === 0 ? 'with' : 'without';
    for (const [name, on] of Object.entries(addedIndexes)) {
      if (which === 'without') await db.statement(sql.raw(`drop index ${name}`));
      else await db.statement(sql.raw(`create index if not exists ${name} on audit_events ${on}`));
    }
    await writeSome(db, companyId, 200);
    const before = await backendMs(db);
    await writeSome(db, companyId, 2000);
    written[which].push(((await backendMs(db)) - before) / 2000);
  }
  for (const [name, on] of Object.entries(addedIndexes))
    await db.statement(sql.raw(`create index if not exists ${name} on audit_events ${on}`));
  const shown = (values: number[]) => values.map((each) => each.toFixed(3)).join(', ');
  return [
    [
      'processor time of the database for a transaction that writes one event, three times',
      `${shown(written.with)} ms`,
      '',
    ],
    ['the same without the indexes that lists and sealing need', `${shown(written.without)} ms`, ''],
  ];
}

async function writeSome(db: Database, companyId: string, count: number): Promise<void> {
  const by = {
    companyId,
    userId: '00000000-0000-4000-8000-000000000001',
    email: 'ada@nordwind.example',
    ip: '203.0.113.7',
  };
  for (let i = 0; i < count; i++)
    await db.asCompany(companyId, (tx) => audit(tx, { action: 'file-opened', by, target: 'Crane.pdf' }));
}

/**
 * Processor time of the connection's process at the database, in milliseconds; Linux counts it in hundredths of a
 * second.
 */
async function backendMs(db: Database): Promise<number> {
  const [row] = await db.statement<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const fields = (await readFile(`/proc/${row?.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function overHttp(client: Client): Promise<Row[]> {
  const rows: Row[] = [];
  const person = '00000000-0000-4000-8000-000000000007';
  const day = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  const kinds = [
    ['the newest', {}],
    ['of one day, 300 days ago', { from: day, to: day }],
    ['of one of 2,000 people', { userId: person }],
    ['of a rare action', { action: 'role-changed' }],
    ['of one person and action', { userId: person, action: 'file-opened' }],
    ['with a word that many have', { text: 'document 7.pdf' }],
    ['with a word that half of them have', { text: '"answered": true' }],
    ['with a word that none has', { text: 'no such thing' }],
  ] as const;
  for (const [name, wanted] of kinds) {
    const times: number[] = [];
    for (let i = 0; i < rounds; i++) times.push(await timeOf(() => client.call('getAuditLog', wanted)));
    rows.push([
      `getAuditLog, ${name}, p50, p95`,
      `${milliseconds(percentile(times, 0.5))}, ${milliseconds(percentile(times, 0.95))}`,
      'p95 300 ms',
    ]);
  }
  for (const format of ['csv', 'ndjson'] as const) {
    let bytes = 0;
    const taking = await timeOf(async () => {
      const { url } = await client.call('exportAuditLog', { format });
      for await (const piece of (await fetch(url)).body ?? []) bytes += piece.byteLength;
    });
    rows.push([`the whole log as ${format} (${(bytes / 1e6).toFixed(0)} MB)`, seconds(taking), '']);
  }
  return rows;
}
