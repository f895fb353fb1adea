import { AppError } from '#contract/errors.ts';
import type { Role } from '#contract/permissions.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { lockCompany, type People } from '#server/features/identity/people.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { requireFreeSeat } from './seats.ts';

export interface InvitationsDeps {
  db: Database;
  jobs: Jobs;
  limits: Limits;
  people: People;
  sendMail: SendMail;
  /** How many seats the company's plan has; null: as many as wanted. Of billing, which stands above this feature. */
  seatsOf: (tx: Tx, companyId: string) => Promise<number | null>;
  /** Whether the company has ever paid, or need not. Of billing as well. */
  hasPaid: (tx: Tx, companyId: string) => Promise<boolean>;
  config: Pick<Config, 'publicUrl' | 'rates'>;
  clock?: () => Date;
}

export interface Invitee {
  /** Small letters. */
  email: string;
  role?: Role | undefined;
}

type InviteDeps = Pick<InvitationsDeps, 'jobs' | 'people' | 'seatsOf'> & { clock: () => Date };

/** An invitation in the records, under the company's lock, with the seat that it takes; a job mails it. */
export function createInvite({ jobs, people, seatsOf, clock }: InviteDeps) {
  async function inviteIn(tx: Tx, by: AuditActor, { email, role }: Invitee): Promise<void> {
    const { companyId } = by;
    await lockCompany(tx, companyId);
    const [known] = await tx.select().from(users).where(eq(users.email, email));
    if (known?.state === 'active') throw new AppError('already-in-team');
    if (known) {
      if (role !== undefined && role !== known.role) await people.changeRole(tx, { companyId, uid: known.id }, role);
      await reopen(tx, by, known.id);
      return;
    }
    await requireFreeSeat(tx, await seatsOf(tx, companyId), clock());
    const { uid } = await people.createInvitedUser(tx, { companyId, email, role: role ?? 'member' });
    await toBeMailed(tx, by, { uid, email, details: { role: role ?? 'member' } });
  }

  async function reopen(tx: Tx, by: AuditActor, uid: string): Promise<{ email: string }> {
    const { companyId } = by;
    const now = clock();
    const [known] = await tx.select().from(users).where(eq(users.id, uid));
    const isOpen = known?.invitationExpiresAt && known.invitationExpiresAt > now;
    if (known?.state === 'invited' && !isOpen) await requireFreeSeat(tx, await seatsOf(tx, companyId), now);
    const { email } = await people.renewInvitation(tx, { companyId, uid });
    await toBeMailed(tx, by, { uid, email, details: { role: known?.role, again: true } });
    return { email };
  }

  async function toBeMailed(
    tx: Tx,
    by: AuditActor,
    { uid, email, details }: { uid: string; email: string; details: Record<string, unknown> },
  ): Promise<void> {
    await audit(tx, { action: 'invitation-sent', by, target: email, details });
    await jobs.enqueue(tx, 'mail-invitation', { companyId: by.companyId, userId: uid, invitedBy: by.email });
  }

  return { inviteIn, reopen };
}
