import { randomUUID } from 'node:crypto';
import type { AuditAction, AuditVia } from '#contract/audit.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { auditEvents, users } from '#server/db/schema.ts';
import type { JobData } from '#server/jobs/registry.ts';

/** Whoever does something, and from where. */
export interface AuditActor {
  companyId: string;
  userId: string;
  email: string;
  /** The API key by which it is done; absent for whoever is signed in. */
  key?: { id: string; name: string } | undefined;
  /** Absent where no request is at hand, as in a job. */
  ip?: string | undefined;
}

export interface AuditEvent {
  action: AuditAction;
  by: AuditActor | { companyId: string; ip?: string | undefined };
  /** What it was done to: an e-mail, the name of a file. */
  target?: string;
  details?: Record<string, unknown>;
  at?: Date;
  /**
   * Absent: `api-key` where there is one, `session` for a person's own request, `visitor` for any other, `service`
   * where no request is at hand.
   */
  via?: AuditVia;
}

/** Writes down who did what, with the transaction that does it: the one is there if and only if the other is. */
export async function audit(tx: Tx, event: AuditEvent): Promise<void> {
  await writing.run(tx, auditValues(event));
}

/**
 * The same as a part of a `keptStatement`, sent with `auditValues`. It names the columns that companies may write:
 * where an event stands in the chain is the job's to say, so that nobody waits for anybody here.
 */
export const auditStatement = sql`
  insert into ${auditEvents} (company_id, id, at, actor_id, actor_email, action, target, details, ip, via)
  values (${sql.placeholder('companyId')}, ${sql.placeholder('eventId')}, ${sql.placeholder('at')},
    ${sql.placeholder('actorId')}, ${sql.placeholder('actorEmail')}, ${sql.placeholder('action')},
    ${sql.placeholder('target')}, ${sql.placeholder('details')}, ${sql.placeholder('ip')}, ${sql.placeholder('via')})`;

const writing = keptStatement('write-audit-event', auditStatement);

export function auditValues(event: AuditEvent) {
  const { details, ...values } = valuesOf(event);
  return { ...values, details: JSON.stringify(details) };
}

function valuesOf({ action, by, target, details = {}, at = new Date(), via }: AuditEvent) {
  return {
    companyId: by.companyId,
    eventId: randomUUID(),
    at,
    actorId: 'userId' in by ? by.userId : null,
    actorEmail: 'email' in by ? by.email : null,
    action,
    target: target ?? null,
    details: 'key' in by && by.key ? { ...details, apiKey: by.key.name, apiKeyId: by.key.id } : details,
    ip: by.ip ?? null,
    via: via ?? usualVia(by),
  };
}

function usualVia(by: AuditEvent['by']): AuditVia {
  if ('key' in by && by.key) return 'api-key';
  if (by.ip === undefined) return 'service';
  return 'userId' in by ? 'session' : 'visitor';
}

/**
 * The job `note-failed-sign-in`: in the log of the company whose person it was tried for. A job, so that the call takes
 * the same time for an e-mail that nobody has.
 */
export async function noteFailedSignIn(db: Database, job: JobData<'note-failed-sign-in'>): Promise<void> {
  await db.asSystem(async (tx) => {
    const ofEmail = and(eq(users.email, job.email), eq(users.state, 'active'));
    const [user] = await tx.select({ companyId: users.companyId }).from(users).where(ofEmail);
    if (!user) return;
    const by = { companyId: user.companyId, ip: job.ip };
    await audit(tx, { action: 'sign-in-failed', by, target: job.email, at: new Date(job.at), via: 'password' });
  });
}
