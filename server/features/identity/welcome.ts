import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import type { IdentityDeps } from './deps.ts';
import type { createSecondFactor } from './second-factor/second-factor.ts';
import { methodsOf } from './sessions/session-records.ts';
import { wireUser } from './sessions/sessions.ts';
import { anyCompany } from './set-up.ts';
import type { Providers } from './single-sign-on/companies.ts';

/** What pages ask first: who is here, and how they stand. */
export function createWelcome(
  deps: Pick<
    IdentityDeps,
    'db' | 'config' | 'setUpCode' | 'seatsUsed' | 'subscriptionOf' | 'agentShown' | 'brandingOf' | 'brandingAt'
  > & {
    secondFactor: Pick<ReturnType<typeof createSecondFactor>, 'mustEnrol'>;
    providers: Pick<Providers, 'any'>;
  },
) {
  const { db, config, secondFactor } = deps;
  return {
    /** Who is signed in, and what the company may do. */
    async getSession(actor: Actor): Promise<CallOutput<'getSession'>> {
      return db.asCompany(actor.companyId, async (tx) => {
        const [row] = await tx
          .select({
            user: users,
            company: { id: companies.id, name: companies.name, sessionIdleMinutes: companies.sessionIdleMinutes },
            endsAt: companies.endsAt,
          })
          .from(users)
          .innerJoin(companies, eq(companies.id, users.companyId))
          .where(eq(users.id, actor.userId));
        if (!row) throw new AppError('session-expired');
        const { state, plan } = await deps.subscriptionOf(tx, actor.companyId);
        const { entitlements } = actor;
        return {
          user: {
            ...wireUser(row.user),
            role: actor.role,
            emailConfirmed: row.user.emailConfirmedAt !== null,
            mustEnrol: await secondFactor.mustEnrol(tx, actor),
            bySingleSignOn: (await methodsOf(tx, { sessionId: '', ...actor })).includes('single-sign-on'),
          },
          company: { ...row.company, ...(row.endsAt && { endsAt: row.endsAt.toISOString() }) },
          subscription: { state, plan, seats: entitlements.seats, seatsUsed: await deps.seatsUsed(tx) },
          entitlements,
          branding: await deps.brandingOf(tx, actor.companyId),
          assistant: await deps.agentShown(tx),
        };
      });
    },

    /** What the signed-out pages of a host name need to know. */
    async getSettings(host: string): Promise<Omit<CallOutput<'getSettings'>, 'hasSession'>> {
      const { billing, maxFileBytes } = config;
      const branding = await deps.brandingAt(host);
      const isEmpty = !(await db.asSystem(anyCompany));
      const signupOpen = config.signup === 'open' || isEmpty;
      const setupCodeNeeded = signupOpen && deps.setUpCode !== null;
      const singleSignOn = await deps.providers.any();
      return { branding, billing, signupOpen, setupCodeNeeded, isEmpty, maxFileBytes, singleSignOn };
    },
  };
}
