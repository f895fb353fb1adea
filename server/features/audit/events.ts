import type { AuditAction, AuditVia } from '#contract/audit.ts';
import { AppError } from '#contract/errors.ts';
import type { Tx } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { auditEvents, companies } from '#server/db/schema.ts';
import { isMoment } from '#server/lib/is-moment.ts';

/** What is wanted of a company's events. */
export interface Wanted {
  /** Days of the company's time zone, both counted. */
  from?: string | undefined;
  to?: string | undefined;
  action?: AuditAction | undefined;
  userId?: string | undefined;
  text?: string | undefined;
  /** Nothing from before this moment, in milliseconds since the epoch. */
  since?: number | undefined;
  /** Nothing from after it. */
  until?: number | undefined;
}

export interface EventRow {
  [column: string]: unknown;
  id: string;
  /** UTC to the microsecond. */
  at: string;
  userId: string | null;
  email: string | null;
  action: AuditAction;
  target: string | null;
  details: Record<string, unknown>;
  address: string | null;
  via: AuditVia | null;
  sequence: string | null;
  previousHash: string | null;
}

/** Events that one call looks through for those that are wanted, so that it ends in time whatever is wanted. */
const maxLooked = 50_000;
/** Of the newest, when words are looked for: a page of what many events have is found in these. */
const lookedFirst = 2000;
/** Events that the index may find for words: of what more have, a page is found by looking. */
const maxFound = 5000;
const cursorShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A page of the events of the transaction's company, newest first.
 * @param cursor `next` of the page before
 * @returns fewer than `limit` with a `next` where it has looked through as many as it may
 * @throws AppError `invalid-input` for a cursor that is none
 */
export async function eventsPage(
  tx: Tx,
  wanted: Wanted,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ rows: EventRow[]; next?: string }> {
  if (cursor !== undefined && !(cursorShape.test(cursor) && isMoment(cursor.split(' ')[0] ?? '')))
    throw new AppError('invalid-input');
  const inReach = reach(wanted, cursor);
  if (wanted.text === undefined) return look(tx, wanted, inReach, { limit, atMost: maxLooked });
  const first = await look(tx, wanted, inReach, { limit, atMost: lookedFirst });
  // A full page, or all there is.
  if (first.rows.length === limit || first.next === undefined) return first;
  const found = await withWords(tx, wanted.text);
  const among = found === null ? inReach : sql`${inReach} and id = any(${sql.param(found)}::uuid[])`;
  return look(tx, wanted, among, { limit, atMost: maxLooked });
}

/** Looks at events one by one, newest first, until a page is full. */
async function look(
  tx: Tx,
  wanted: Wanted,
  inReach: SQL,
  { limit, atMost }: { limit: number; atMost: number },
): Promise<{ rows: EventRow[]; next?: string }> {
  // In the order of an index, whichever is asked for: there is one for people and one for actions.
  const looked = sql`select * from ${auditEvents} where ${inReach}
    order by at desc, id desc limit ${atMost}`;
  const { rows } = await tx.execute<EventRow>(sql`
    select id, ${utc} as at, actor_id as "userId", actor_email as email, action, target, details, ip as address, via,
      sequence, encode(previous_hash, 'hex') as "previousHash"
    from (${looked}) as looked where ${matches(wanted)}
    order by looked.at desc, looked.id desc limit ${limit + 1}`);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last) return { rows: page, next: `${last.at} ${last.id}` };
  const { rows: ends } = await tx.execute<{ at: string; id: string }>(sql`
    select ${utc} as at, id from ${auditEvents} where ${inReach}
    order by ${auditEvents.at} desc, ${auditEvents.id} desc offset ${atMost - 1} limit 1`);
  const end = ends[0];
  return end ? { rows: page, next: `${end.at} ${end.id}` } : { rows: page };
}

/** The ids of the events that hold the words; null where the index can't tell, and they are looked for one by one. */
async function withWords(tx: Tx, words: string): Promise<string[] | null> {
  const { rows } = await tx.execute<{ ids: string[] | null }>(
    sql`select audit_events_with(${words}, ${maxFound}::int) as ids`,
  );
  return rows[0]?.ids ?? null;
}

/** Whether there are events that the plan does not show. */
export async function hasBefore(tx: Tx, moment: number): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from ${auditEvents} where at < ${new Date(moment).toISOString()}::timestamptz limit 1`);
  return rows.length > 0;
}

const utc = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What an index finds. */
function reach({ from, to, action, userId, since, until }: Wanted, cursor: string | undefined): SQL {
  const zone = sql`(select time_zone from ${companies})`;
  const at = (moment: number) => sql`${new Date(moment).toISOString()}::timestamptz`;
  const [cursorAt, cursorId] = cursor?.split(' ') ?? [];
  const conditions = [
    sql`true`,
    ...(from === undefined ? [] : [sql`at >= (${from}::date)::timestamp at time zone ${zone}`]),
    ...(to === undefined ? [] : [sql`at < (${to}::date + 1)::timestamp at time zone ${zone}`]),
    ...(since === undefined ? [] : [sql`at >= ${at(since)}`]),
    ...(until === undefined ? [] : [sql`at < ${at(until)}`]),
    ...(cursorAt === undefined ? [] : [sql`(at, id) < (${cursorAt}::timestamptz, ${cursorId}::uuid)`]),
    ...(userId === undefined ? [] : [sql`actor_id = ${userId}`]),
    ...(action === undefined || userId !== undefined ? [] : [sql`action = ${action}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** What has to be looked at one by one. */
function matches({ action, userId, text }: Wanted): SQL {
  const conditions = [
    sql`true`,
    ...(action === undefined || userId === undefined ? [] : [sql`action = ${action}`]),
    ...(text === undefined ? [] : [sql`strpos(audit_words(actor_email, ip, target, details), lower(${text})) > 0`]),
  ];
  return sql.join(conditions, sql` and `);
}
