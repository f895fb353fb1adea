import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { eq, lt, sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { rateLimits } from '#server/db/schema.ts';

/** Counts for all processes together, in fixed windows. */
export interface Limits {
  /**
   * Counts one use.
   * @param key names the limit and whom it is for.
   * @throws AppError `too-many-requests` with details.retryAfterSeconds when `max` uses of this window are spent.
   */
  take(key: string, max: number, windowSeconds: number): Promise<void>;
  /**
   * Counts one use of each; one that the first refuses is not counted by the second.
   * @throws AppError `too-many-requests` as `take`.
   */
  takeBoth(first: Limit, second: Limit, windowSeconds: number): Promise<void>;
  /**
   * Counts one try of several in a row: after `max` no more is let through until `pauseSeconds` after the last that
   * was. Tries that lie further apart than that do not add up.
   * @throws AppError `too-many-requests` with details.retryAfterSeconds.
   */
  takeInRow(key: string, max: number, pauseSeconds: number): Promise<void>;
  /** Forgets what was counted: the row of tries has ended well. */
  forget(key: string): Promise<void>;
  /** Takes one use back of the window in which the last one was counted. */
  giveBack(key: string): Promise<void>;
  /** Removes counters of windows long over. */
  sweep(): Promise<void>;
}

interface Limit {
  /** Names the limit and whom it is for. */
  key: string;
  /** Uses in a window. */
  max: number;
}

/** One more use of the same window, or the first of another. */
const counted = sql`case when ${rateLimits.windowStart} = excluded.window_start then ${rateLimits.count} + 1 else 1 end`;
const again = sql`on conflict (key) do update set window_start = excluded.window_start, count = ${counted}
  returning count`;
/** One statement, since nearly every call begins with it; and a count that a crash loses is no loss. */
const takingBoth = keptStatement<{ first: string; second: string; start: Date; max: number }>(
  'take-both',
  sql`
    with first as (
      insert into rate_limits (key, window_start, count)
      values (${sql.placeholder('first')}, ${sql.placeholder('start')}, 1) ${again}),
    second as (
      insert into rate_limits (key, window_start, count)
      select ${sql.placeholder('second')}, ${sql.placeholder('start')}::timestamptz, 1
      from first where count <= ${sql.placeholder('max')} ${again})
    select set_config('synchronous_commit', 'off', true), first.count as one, second.count as two
    from first left join second on true`,
);

/** @param clock milliseconds since the epoch. */
export function createLimits(db: Database, clock: () => number = Date.now): Limits {
  function windowOf(windowSeconds: number) {
    const length = windowSeconds * 1000;
    const start = new Date(Math.floor(clock() / length) * length);
    const secondsLeft = () => Math.max(1, Math.ceil((start.getTime() + length - clock()) / 1000));
    return { start, spent: () => new AppError('too-many-requests', { details: { retryAfterSeconds: secondsLeft() } }) };
  }

  return {
    async takeBoth(first, second, windowSeconds) {
      const { start, spent } = windowOf(windowSeconds);
      const rows = await db.statement<{ one: number; two: number | null }>(
        takingBoth.bind({ first: first.key, second: second.key, start, max: first.max }),
      );
      for (const { one, two } of rows) if (one > first.max || (two ?? 0) > second.max) throw spent();
    },

    async take(key, max, windowSeconds) {
      const { start: windowStart, spent } = windowOf(windowSeconds);
      const [row] = await db.asSystem((tx) =>
        tx
          .insert(rateLimits)
          .values({ key, windowStart, count: 1 })
          .onConflictDoUpdate({
            target: rateLimits.key,
            set: { count: counted, windowStart: sql`excluded.window_start` },
          })
          .returning({ count: rateLimits.count }),
      );
      if (row && row.count > max) throw spent();
    },

    async takeInRow(key, max, pauseSeconds) {
      const now = new Date(clock());
      const { windowStart, count } = rateLimits;
      const isOver = sql`${windowStart} <= ${new Date(now.getTime() - pauseSeconds * 1000).toISOString()}::timestamptz`;
      const [row] = await db.asSystem((tx) =>
        tx
          .insert(rateLimits)
          .values({ key, windowStart: now, count: 1 })
          .onConflictDoUpdate({
            target: rateLimits.key,
            set: {
              count: sql`case when ${isOver} then 1 else least(${count} + 1, ${max + 1}::int) end`,
              windowStart: sql`case when not ${isOver} and ${count} >= ${max}::int then ${windowStart} else excluded.window_start end`,
            },
          })
          .returning({ count, since: windowStart }),
      );
      if (!row || row.count <= max) return;
      const until = row.since.getTime() + pauseSeconds * 1000;
      const retryAfterSeconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
      throw new AppError('too-many-requests', { details: { retryAfterSeconds } });
    },

    async forget(key) {
      await db.asSystem((tx) => tx.delete(rateLimits).where(eq(rateLimits.key, key)));
    },

    async giveBack(key) {
      await db.asSystem((tx) =>
        tx
          .update(rateLimits)
          .set({ count: sql`greatest(0, ${rateLimits.count} - 1)` })
          .where(eq(rateLimits.key, key)),
      );
    },

    async sweep() {
      await db.asSystem((tx) =>
        tx.delete(rateLimits).where(lt(rateLimits.windowStart, new Date(clock() - 86_400_000))),
      );
    },
  };
}

/**
 * Whom a limit per address is for: an IPv6 caller owns a whole /64, so counting single addresses would count nothing.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const mapped = ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = ip.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const groups = ip.includes('::')
    ? [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
    : before;
  return groups.slice(0, 4).join(':');
}
