import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, gt, type SQL } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { ofEmailCode } from '../confirmation.ts';
import { createPeople } from '../people.ts';
import { endCompanyOfUnconfirmed } from '../unconfirmed.ts';

interface ResetCodesDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  clock: () => Date;
}

/** Whose the codes in mailed links are. */
export function createResetCodes({ db, provider, jobs, clock }: ResetCodesDeps) {
  const people = createPeople({ db, provider, jobs, clock });
  return { ofCode, makeWayFor, stillOpen };

  /**
   * Whose code it is. A code is worth nothing without the person's record, which knows of withdrawn and lapsed
   * invitations.
   */
  async function ofCode(code: string) {
    const waiting = await db.asSystem((tx) => ofEmailCode(tx, code, 'invite', clock()));
    if (waiting) return { ...(await openOne(eq(users.id, waiting.id), 'invite')), standsIn: true };
    const { uid, purpose } = await provider.verifyCode(code);
    return { ...(await openOne(eq(users.providerUid, uid), purpose)), standsIn: false };
  }

  /**
   * An invitation comes before an account that somebody has made with the address of another: the account ends, with
   * its company, as its owner comes in. @returns the provider's code, in place of the one that stood in for it.
   */
  async function makeWayFor({ id: uid, companyId, email }: typeof users.$inferSelect): Promise<string> {
    await db.asSystem(async (tx) => {
      const [other] = await tx
        .select()
        .from(users)
        .where(and(eq(users.email, email), eq(users.state, 'active')));
      if (other && !(await endCompanyOfUnconfirmed({ db, jobs }, tx, other.companyId)))
        throw new AppError('invalid-code');
    });
    return (await people.inviteCode({ companyId, uid })).code;
  }

  async function openOne(person: SQL, purpose: 'reset' | 'invite') {
    const [found] = await db.asSystem((tx) =>
      tx
        .select({ user: users, companyName: companies.name })
        .from(users)
        .innerJoin(companies, eq(companies.id, users.companyId))
        .where(and(person, stillOpen(purpose))),
    );
    if (!found) throw new AppError('invalid-code');
    return { ...found, purpose };
  }

  function stillOpen(purpose: 'reset' | 'invite') {
    if (purpose === 'reset') return eq(users.state, 'active');
    return and(eq(users.state, 'invited'), gt(users.invitationExpiresAt, clock()));
  }
}
