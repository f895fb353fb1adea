import { createHash, randomBytes } from 'node:crypto';
import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, gt, lte, ne, type SQL, sql } from '#server/db/drizzle.ts';
import { emailCodes, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { Origin } from './guesses.ts';

/** How long an account may stay unconfirmed, and its code works. */
export const unconfirmedMs = 7 * 86_400_000;
/** Mails that one person may have sent in an hour. */
const mailsPerHour = 5;

type User = typeof users.$inferSelect;

/** Whether the address of whoever signed up is theirs: by a link that is mailed to it. */
export function createConfirmation(deps: {
  db: Database;
  jobs: Jobs;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'rates'>;
  sendMail: SendMail;
  clock: () => Date;
}) {
  const { db, jobs, limits, config, sendMail, clock } = deps;

  return {
    /** Sends the link again; nothing where the address is confirmed already. @throws AppError `too-many-requests` */
    async sendEmailConfirmation({ companyId, userId }: Actor): Promise<null> {
      await limits.take(`confirm:${userId}`, mailsPerHour, 3600);
      await db.asCompany(companyId, (tx) => jobs.enqueue(tx, 'mail-confirmation', { companyId, userId }));
      return null;
    },

    /** The job `mail-confirmation`. */
    async mailConfirmation({ companyId, userId }: JobData<'mail-confirmation'>): Promise<void> {
      await db.asSystem(async (tx) => {
        const [user] = await tx.select().from(users).where(eq(users.id, userId));
        if (!user || user.emailConfirmedAt !== null) return;
        const code = await makeEmailCode(
          tx,
          { companyId, userId },
          'confirm',
          new Date(clock().getTime() + unconfirmedMs),
        );
        const url = `${config.publicUrl}/login?confirmCode=${encodeURIComponent(code)}`;
        await sendMail(tx, { to: user.email, companyId, words: (texts, name) => texts.confirmEmail(name, url) });
      });
    },

    /**
     * Confirms the address that the code was mailed to. Again is fine: a link is clicked twice, and first of all by
     * programs that look at it.
     * @throws AppError `invalid-confirmation-code`, `too-many-requests`.
     */
    async confirmEmail({ code }: ParsedInput<'confirmEmail'>, { ip }: Origin): Promise<null> {
      await limits.take(`code:${addressKey(ip)}`, config.rates.codesPerAddress, 900);
      await db.asSystem(async (tx) => {
        const user = await ofEmailCode(tx, code, 'confirm', clock());
        if (!user) throw new AppError('invalid-confirmation-code');
        await confirmAddress(tx, user, { ip, at: clock() });
      });
      return null;
    },
  };
}

/** Writes down that mails to the address reach its person. An invitation elsewhere that waited for them is over. */
export async function confirmAddress(tx: Tx, user: User, { ip, at }: { ip: string; at: Date }): Promise<void> {
  if (user.emailConfirmedAt !== null) return;
  const { companyId, id: userId, email } = user;
  await tx.update(users).set({ emailConfirmedAt: at }).where(eq(users.id, userId));
  await tx.delete(users).where(and(eq(users.email, email), eq(users.state, 'invited'), ne(users.companyId, companyId)));
  await audit(tx, { action: 'email-confirmed', by: { companyId, userId, email, ip }, at, via: 'mailed-link' });
}

/** A new code for a person, whose hash alone is stored. */
export async function makeEmailCode(
  tx: Tx,
  person: { companyId: string; userId: string },
  purpose: 'confirm' | 'invite',
  expiresAt: Date,
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await tx.insert(emailCodes).values({ ...person, codeHash: hashOf(code), purpose, expiresAt });
  return code;
}

/** Whose code it is; null for one that is unknown or over. */
export async function ofEmailCode(
  tx: Tx,
  code: string,
  purpose: 'confirm' | 'invite',
  now: Date,
): Promise<User | null> {
  const open = and(
    eq(emailCodes.codeHash, hashOf(code)),
    eq(emailCodes.purpose, purpose),
    gt(emailCodes.expiresAt, now),
  );
  const [found] = await tx
    .select({ user: users })
    .from(emailCodes)
    .innerJoin(users, and(eq(users.companyId, emailCodes.companyId), eq(users.id, emailCodes.userId)))
    .where(open);
  return found?.user ?? null;
}

/** Removes codes that are over. */
export async function clearEmailCodes(db: Database, now: Date): Promise<void> {
  await db.asSystem((tx) => removeEmailCodes(tx, lte(emailCodes.expiresAt, now)));
}

/** Removes codes, which it holds in one order, or two who remove them could wait for each other. */
export async function removeEmailCodes(tx: Tx, which: SQL | undefined): Promise<void> {
  const { codeHash } = emailCodes;
  const held = await tx.select({ codeHash }).from(emailCodes).where(which).orderBy(codeHash).for('update');
  const hashes = sql.param(held.map((each) => each.codeHash));
  await tx.delete(emailCodes).where(sql`${codeHash} = any(${hashes}::text[])`);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
