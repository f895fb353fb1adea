import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { auditDaysOnEveryPlan } from '#contract/audit.ts';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { planWith } from '#contract/plans.ts';
import type { Access } from '#server/calls/access.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { LinkHolder } from '#server/calls/held-access.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, lte } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import { byteOrderMark, csvLine } from '#server/lib/csv.ts';
import { createSigner } from '#server/lib/signed-claims.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { aboutOf } from './about.ts';
import { audit, noteFailedSignIn } from './audit.ts';
import { type EventRow, eventsPage, hasBefore, type Wanted } from './events.ts';
import { type AuditFile, mountAuditFiles } from './route.ts';
import { clearAudit, sealAudit } from './seal.ts';

const shownAtOnce = 50;
/** Of a file, in one transaction. */
const writtenAtOnce = 1000;
const linkMs = 600_000;

export interface AuditLogDeps {
  db: Database;
  /** Secret of the signatures of links to files of events. */
  key: Uint8Array;
  config: Pick<Config, 'publicUrl' | 'auditDays'>;
  log: Logger;
  provider: Pick<IdentityProvider, 'sessionIsOpen'>;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

type Format = ParsedInput<'exportAuditLog'>['format'];

interface Claims {
  /** company, person, session */
  c: string;
  u: string;
  s: string;
  /** when it was made, in milliseconds */
  m: number;
  format: Format;
  wanted: Wanted;
}

/** A company's audit log, as its admins read it. */
export function createAuditLog({ db, key, config, log, provider, clock = Date.now }: AuditLogDeps) {
  const { sign, verify } = createSigner<Claims>(key);

  /** From which moment on the plan shows events; undefined: all of them. */
  function shownSince({ entitlements }: Actor): number | undefined {
    if (entitlements.features.includes('audit-log')) return undefined;
    return clock() - auditDaysOnEveryPlan * 86_400_000;
  }

  /** @throws AppError `feature-not-in-plan` where nothing of what is wanted is shown by the plan */
  function within(actor: Actor, wanted: Wanted): Wanted {
    const since = shownSince(actor);
    // A day of any time zone has begun by then, and ended.
    const lastDay = since === undefined ? '' : new Date(since - 86_400_000).toISOString().slice(0, 10);
    if ([wanted.from, wanted.to].some((day) => day !== undefined && day < lastDay))
      throw new AppError('feature-not-in-plan', { details: { plan: planWith('audit-log') } });
    return { ...wanted, since };
  }

  return {
    calls: {
      getAuditLog: (input, { actor }) => read(actor, input),
      exportAuditLog: (input, { actor, ip }) => linkTo({ ...actor, ip }, input),
    } satisfies Partial<Handlers>,

    jobs: {
      'note-failed-sign-in': (job) => noteFailedSignIn(db, job),
      'seal-audit': (_, { signal }) => sealAudit(db, { signal }),
      'clear-audit': (_, { signal }) => clearAudit(db, { days: config.auditDays, log, signal }),
    } satisfies Partial<JobHandlers>,

    /** Adds the route of files of events, each behind a signed link. */
    mountFiles: async (scope: FastifyInstance, access: Access): Promise<void> =>
      mountAuditFiles(scope, { open, holderOf, access }),
  };

  function read(actor: Actor, { cursor, ...input }: ParsedInput<'getAuditLog'>): Promise<CallOutput<'getAuditLog'>> {
    const wanted = within(actor, input);
    return db.asCompany(actor.companyId, async (tx) => {
      const { rows, next } = await eventsPage(tx, wanted, { cursor, limit: shownAtOnce });
      const { since } = wanted;
      const isLocked = since !== undefined && next === undefined && (await hasBefore(tx, since));
      return {
        events: rows.map(shownEvent),
        ...(next !== undefined && { next }),
        ...(isLocked && { lockedBefore: new Date(since).toISOString() }),
      };
    });
  }

  /** @throws AppError `session-expired` for a bearer that names no session */
  async function linkTo(
    actor: Actor & { ip: string },
    { format, ...input }: ParsedInput<'exportAuditLog'>,
  ): Promise<CallOutput<'exportAuditLog'>> {
    const { companyId, userId, sessionId } = actor;
    if (sessionId === undefined) throw new AppError('session-expired');
    const wanted = within(actor, input);
    const m = clock();
    const details = { format, ...input };
    await db.asCompany(companyId, (tx) => audit(tx, { action: 'audit-exported', by: actor, details }));
    const claims = { c: companyId, u: userId, s: sessionId, m, format, wanted: { ...wanted, until: m } };
    return { url: `${config.publicUrl}/audit/${sign(claims)}` };
  }

  /**
   * The file behind a link, made while it is read, a piece at a time.
   * @throws AppError `file-not-found` for a forged or expired link, and whoever is no admin any more or has signed out
   */
  async function open(token: string): Promise<AuditFile> {
    const claims = verify(token);
    if (!claims || claims.m + linkMs < clock()) throw new AppError('file-not-found');
    const providerUid = await db.asCompany(claims.c, (tx) => accountOf(tx, claims));
    if (providerUid === null || !(await provider.sessionIsOpen(providerUid, claims.s)))
      throw new AppError('file-not-found');
    const { format } = claims;
    const name = `audit-log-${new Date(claims.m).toISOString().slice(0, 10)}.${format}`;
    return { name, format, content: Readable.from(linesOf(claims), { objectMode: false }) };
  }

  /** Whose link it is, whether it holds or not; null for a forged one. */
  function holderOf(token: string): LinkHolder | null {
    const claims = verify(token);
    return claims && { companyId: claims.c, userId: claims.u, sessionId: claims.s };
  }

  async function* linesOf(claims: Claims): AsyncGenerator<string> {
    const { line, head } = writers[claims.format];
    if (head !== '') yield head;
    for (let cursor: string | undefined, isMore = true; isMore; ) {
      const page = await db.asCompany(claims.c, async (tx) => {
        // Whoever loses access meanwhile gets no more of it.
        if ((await accountOf(tx, claims)) === null) throw new AppError('file-not-found');
        return eventsPage(tx, claims.wanted, { cursor, limit: writtenAtOnce });
      });
      if (page.rows.length > 0) yield page.rows.map(line).join('');
      cursor = page.next;
      isMore = cursor !== undefined;
    }
  }
}

/** The provider's id of a link's person, as long as they are an admin and their tokens of then hold. */
async function accountOf(tx: Tx, { u, m }: Claims): Promise<string | null> {
  const [user] = await tx
    .select({ providerUid: users.providerUid })
    .from(users)
    .where(
      and(
        eq(users.id, u),
        eq(users.state, 'active'),
        eq(users.role, 'admin'),
        lte(users.tokensValidSince, new Date(m)),
      ),
    );
  return user?.providerUid ?? null;
}

function shownEvent({ id, at, action, userId, email, via, address, target, details }: EventRow) {
  return {
    id,
    at: new Date(at).toISOString(),
    action,
    ...(userId !== null && { userId }),
    ...(email !== null && { email }),
    ...(via !== null && { via }),
    ...(address !== null && { address }),
    about: aboutOf(target, details),
    ...(target !== null && { target }),
    details,
  };
}

const columns = [
  'Time (UTC)',
  'Action',
  'E-mail',
  'Person',
  'By means of',
  'Address',
  'About',
  'Details',
  'Place in the chain',
  'Hash of the event before',
];

const writers: Record<Format, { head: string; line: (row: EventRow) => string }> = {
  csv: {
    head: byteOrderMark + csvLine(columns),
    line: ({ at, action, email, userId, via, address, target, details, sequence, previousHash }) =>
      csvLine([
        at,
        action,
        email,
        userId,
        via,
        address,
        aboutOf(target, details),
        JSON.stringify(details),
        sequence === null ? null : Number(sequence),
        previousHash,
      ]),
  },
  // With all that a hash is made of, so that whoever keeps the file can check the chain without us.
  ndjson: {
    head: '',
    line: ({ sequence, ...row }) => `${JSON.stringify({ ...row, sequence: Number(sequence) || null })}\n`,
  },
};
