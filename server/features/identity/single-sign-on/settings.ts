import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNotNull } from '#server/db/drizzle.ts';
import { companyDomains, singleSignOnIdentities, singleSignOns, type users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import { type Provider, secretSealedFor } from './companies.ts';
import { type createDomains, recordOf } from './domains.ts';
import type { createOidc, OidcClient } from './oidc.ts';

type Settings = CallOutput<'getSingleSignOn'>;
type By = Actor & { ip: string };

interface SettingsDeps {
  db: Database;
  provider: Pick<IdentityProvider, 'claimsAreOurs'>;
  config: Pick<Config, 'publicUrl'>;
  sealer: Sealer;
  oidc: Pick<ReturnType<typeof createOidc>, 'check'>;
  clientOf: (row: Provider) => Promise<OidcClient>;
  domains: ReturnType<typeof createDomains>;
  clock: () => Date;
}

/** What admins decide of it. */
export function createSingleSignOnSettings(deps: SettingsDeps) {
  const { db, provider, config, sealer, oidc, clientOf, domains, clock } = deps;
  const shown = (by: By): Promise<Settings> => db.asCompany(by.companyId, (tx) => told(tx, by.companyId, config));
  const recent = (by: Actor) => requireRecentSignIn(by, undefined, clock().getTime());

  /**
   * Asks the provider first whether it is one.
   * @throws AppError as `outbound`; `single-sign-on-failed`, `invalid-input` without a secret,
   * `recent-sign-in-required`
   */
  async function save(
    by: By,
    { issuer: given, clientId, clientSecret }: ParsedInput<'saveSingleSignOn'>,
  ): Promise<Settings> {
    // Providers show the address of what they say of themselves as often as the issuer.
    const issuer = given.replace(/\/\.well-known\/openid-configuration$/, '');
    if (!provider.claimsAreOurs) throw new AppError('single-sign-on-elsewhere');
    recent(by);
    const { companyId } = by;
    const before = await db.asCompany(companyId, (tx) => rowOf(tx, companyId));
    // For another issuer the old secret would be handed to whoever is there.
    const kept = before?.issuer === issuer ? (await clientOf(before)).clientSecret : undefined;
    const secret = clientSecret ?? kept;
    if (secret === undefined) throw new AppError('invalid-input');
    await oidc.check({ issuer, clientId, clientSecret: secret });
    const sealedSecret = await sealer.seal(secret, secretSealedFor(companyId));
    const changed = { issuer, clientId, sealedSecret, testedAt: null, required: false };
    return db.asCompany(companyId, async (tx) => {
      await tx
        .insert(singleSignOns)
        .values({ companyId, ...changed })
        .onConflictDoUpdate({ target: singleSignOns.companyId, set: changed });
      const details = { before: summary(before), after: { issuer, clientId }, newSecret: clientSecret !== undefined };
      await audit(tx, { action: 'single-sign-on-changed', by, details, at: clock() });
      return told(tx, companyId, config);
    });
  }

  /** Also forgets whom it has named: set up again, it is believed by the e-mails anew. */
  async function remove(by: By): Promise<Settings> {
    recent(by);
    const { companyId } = by;
    return db.asCompany(companyId, async (tx) => {
      const [gone] = await tx.delete(singleSignOns).where(eq(singleSignOns.companyId, companyId)).returning();
      await tx.delete(singleSignOnIdentities).where(eq(singleSignOnIdentities.companyId, companyId));
      const details = { before: summary(gone), after: null };
      if (gone) await audit(tx, { action: 'single-sign-on-changed', by, details, at: clock() });
      return told(tx, companyId, config);
    });
  }

  /** @throws AppError `single-sign-on-untested`, `single-sign-on-not-found`, `recent-sign-in-required` */
  async function setRequired(by: By, required: boolean): Promise<Settings> {
    recent(by);
    const { companyId } = by;
    return db.asCompany(companyId, async (tx) => {
      const before = await rowOf(tx, companyId, true);
      if (!before) throw new AppError('single-sign-on-not-found');
      const proved = await tx.$count(companyDomains, isNotNull(companyDomains.verifiedAt));
      // Whoever closes the other door has to hold a key to this one.
      const ofCaller = and(
        eq(singleSignOnIdentities.issuer, before.issuer),
        eq(singleSignOnIdentities.userId, by.userId),
      );
      const own = await tx.$count(singleSignOnIdentities, ofCaller);
      if (required && (before.testedAt === null || proved === 0 || own === 0))
        throw new AppError('single-sign-on-untested');
      await tx.update(singleSignOns).set({ required }).where(eq(singleSignOns.companyId, companyId));
      const details = { before: before.required, after: required };
      await audit(tx, { action: 'single-sign-on-required-changed', by, details, at: clock() });
      return told(tx, companyId, config);
    });
  }

  return {
    get: shown,
    save,
    remove,
    setRequired,
    addDomain: (by: By, domain: string) => domains.add(by, domain).then(() => shown(by)),
    checkDomain: (by: By, domain: string) => domains.check(by, domain).then(() => shown(by)),
    async removeDomain(by: By, domain: string): Promise<Settings> {
      recent(by);
      await domains.remove(by, domain);
      return shown(by);
    },
  };
}

/**
 * An admin has come in by the provider as it is now.
 * @throws AppError `single-sign-on-expired` for one changed since
 */
export async function noteTested(
  db: Database,
  user: typeof users.$inferSelect,
  { row: { issuer, clientId }, ip, at }: { row: Provider; ip: string; at: Date },
): Promise<void> {
  const { companyId, id: userId, email } = user;
  await db.asCompany(companyId, async (tx) => {
    const same = and(eq(singleSignOns.issuer, issuer), eq(singleSignOns.clientId, clientId));
    const noted = await tx.update(singleSignOns).set({ testedAt: at }).where(same).returning();
    if (noted.length === 0) throw new AppError('single-sign-on-expired');
    await audit(tx, { action: 'single-sign-on-tested', by: { companyId, userId, email, ip }, at });
  });
}

async function told(tx: Tx, companyId: string, { publicUrl }: { publicUrl: string }): Promise<Settings> {
  const row = await rowOf(tx, companyId);
  const listed = await tx.select().from(companyDomains).orderBy(companyDomains.domain);
  return {
    provider: row
      ? {
          issuer: row.issuer,
          clientId: row.clientId,
          testedAt: row.testedAt?.toISOString() ?? null,
          required: row.required,
        }
      : null,
    domains: listed.map((each) => ({
      domain: each.domain,
      record: recordOf(each),
      verifiedAt: each.verifiedAt?.toISOString() ?? null,
    })),
    redirectUri: `${publicUrl}/login`,
    logoutUri: `${publicUrl}/single-sign-on/${companyId}/logout`,
  };
}

async function rowOf(tx: Tx, companyId: string, locked = false): Promise<Provider | undefined> {
  const found = tx.select().from(singleSignOns).where(eq(singleSignOns.companyId, companyId));
  const [row] = await (locked ? found.for('update') : found);
  return row;
}

function summary(row: Provider | undefined) {
  return row ? { issuer: row.issuer, clientId: row.clientId } : null;
}
