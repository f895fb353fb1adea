import { entitlementsOf, type Subscription } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNotNull } from '#server/db/drizzle.ts';
import { companyDomains, singleSignOns, users } from '#server/db/schema.ts';
import { CannotOpen, type Sealer } from '#server/lib/sealed.ts';
import type { OidcClient } from './oidc.ts';

export type Provider = typeof singleSignOns.$inferSelect;

/** What an own provider's secret is sealed for. */
export function secretSealedFor(companyId: string): string {
  return `single-sign-on:${companyId}`;
}

/**
 * How we are known at a company's provider.
 * @throws AppError `single-sign-on-failed` where the key is another one now
 */
export function createClientOf(sealer: Pick<Sealer, 'open'>) {
  return async ({ companyId, issuer, clientId, sealedSecret }: Provider): Promise<OidcClient> => {
    const clientSecret = await sealer.open(sealedSecret, secretSealedFor(companyId)).catch((cause: unknown) => {
      throw cause instanceof CannotOpen ? new AppError('single-sign-on-failed', { cause }) : cause;
    });
    return { issuer, clientId, clientSecret };
  };
}

/** The domain of an e-mail, in small letters. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Which companies sign in with a provider of their own. What a plan no longer has is off, and locks nobody out. */
export function createProviders(deps: {
  db: Database;
  config: Pick<Config, 'billing'>;
  subscriptionOf: (tx: Tx, companyId: string) => Promise<Subscription>;
  /** False where another service keeps the passwords. */
  isPossible: boolean;
  clock: () => Date;
}) {
  const { db, config, subscriptionOf, isPossible, clock } = deps;

  async function inEffect(tx: Tx, row: Provider | undefined): Promise<Provider | null> {
    if (!row || !isPossible) return null;
    const { features } = entitlementsOf(await subscriptionOf(tx, row.companyId), clock(), config.billing);
    return features.includes('single-sign-on') ? row : null;
  }

  return {
    /** Null: it has none. */
    ofCompany: (companyId: string): Promise<Provider | null> =>
      db.asSystem(async (tx) => {
        const [row] = await tx.select().from(singleSignOns).where(eq(singleSignOns.companyId, companyId));
        return inEffect(tx, row);
      }),

    /** Of the company that has proved the e-mail's domain. */
    ofEmail: (email: string): Promise<Provider | null> =>
      db.asSystem(async (tx) => {
        const proved = and(eq(companyDomains.domain, domainOf(email)), isNotNull(companyDomains.verifiedAt));
        const [row] = await tx
          .select({ provider: singleSignOns })
          .from(singleSignOns)
          .innerJoin(companyDomains, eq(companyDomains.companyId, singleSignOns.companyId))
          .where(proved);
        return inEffect(tx, row?.provider);
      }),

    /** Whether it is the only way in for a person, by the id of the account. */
    isRequiredOf: (providerUid: string): Promise<boolean> =>
      db.asSystem(async (tx) => {
        const [row] = await tx
          .select({ provider: singleSignOns })
          .from(singleSignOns)
          .innerJoin(users, eq(users.companyId, singleSignOns.companyId))
          .where(and(eq(users.providerUid, providerUid), eq(singleSignOns.required, true)));
        return (await inEffect(tx, row?.provider)) !== null;
      }),

    any: async (): Promise<boolean> =>
      isPossible &&
      (await db.asSystem((tx) => tx.select({ id: singleSignOns.companyId }).from(singleSignOns).limit(1))).length > 0,
  };
}

export type Providers = ReturnType<typeof createProviders>;
