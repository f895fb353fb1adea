import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { allowedRangesOf } from '#server/calls/allowed-addresses.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import { type BrandHosts, originOf } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import type { users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { isOutboundError, type Outbound } from '#server/lib/outbound.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import type { Origin } from '../guesses.ts';
import { createProviderAccount } from '../provider-account.ts';
import type { createDevices } from '../sessions/devices.ts';
import { requireInside } from '../sessions/outside.ts';
import { endEarlier } from '../sessions/session-records.ts';
import type { createSessions, SignedIn } from '../sessions/sessions.ts';
import { type Attempt, createAttempts } from './attempts.ts';
import { createClientOf, type Provider, type Providers } from './companies.ts';
import { createDomains, type ResolveTxt } from './domains.ts';
import { createBackChannel } from './logout.ts';
import { type Claims, createOidc } from './oidc.ts';
import { createSingleSignOnPeople } from './people.ts';
import { createSingleSignOnSettings, noteTested } from './settings.ts';

/** Longer ago than a dangerous call lets pass: whoever was let in by the provider's cookie has proved nothing now. */
const notRecentMs = 16 * 60_000;

export interface SingleSignOnDeps {
  db: Database;
  jobs: Jobs;
  provider: IdentityProvider;
  providers: Providers;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'rates'> & { brandHosts: BrandHosts };
  sealer: Sealer;
  outbound: Outbound;
  resolveTxt: ResolveTxt;
  requireSeat: (tx: Tx, companyId: string, now: Date) => Promise<void>;
  devices: Pick<ReturnType<typeof createDevices>, 'mark'>;
  sessionOf: ReturnType<typeof createSessions>['sessionOf'];
  clock: () => Date;
}

/** What a browser takes along to the provider, and brings back. */
export interface Begun {
  url: string;
  attempt: { value: string; expiresAt: Date };
}

/** Where a call comes from that begins or ends a way to a provider. */
type Here = Origin & { host: string };

/** People sign in by their company's own provider. */
export function createSingleSignOn(deps: SingleSignOnDeps) {
  const { db, provider, providers, limits, config, sealer, devices, sessionOf, clock } = deps;
  const oidc = createOidc(deps.outbound);
  const attempts = createAttempts({ sealer, clock });
  const personOf = createSingleSignOnPeople(deps);
  const knownToProvider = createProviderAccount({ db, provider, clock });
  const clientOf = createClientOf(sealer);
  const domains = createDomains(deps);

  return {
    ...createSingleSignOnSettings({ ...deps, oidc, clientOf, domains }),
    ...createBackChannel({ ...deps, oidc, clientOf }),

    /** @throws AppError `single-sign-on-not-found`, `single-sign-on-unreachable`, `too-many-requests` */
    async begin(email: string, from: Here): Promise<Begun> {
      const address = addressKey(from.ip);
      await limits.take(`single-sign-on-begun:${address}`, config.rates.signInsPerAddress, 900);
      const row = await providers.ofEmail(email);
      if (!row) throw new AppError('single-sign-on-not-found');
      return leave(row, { purpose: 'sign-in', userId: null, email }, from);
    },

    /** @throws AppError as `begin`; in a test what an address is not liked for */
    async beginAs(actor: Actor, purpose: 'confirm' | 'test', from: Here): Promise<Begun> {
      const row = await providers.ofCompany(actor.companyId);
      if (!row) throw new AppError('single-sign-on-not-found');
      return leave(row, { purpose, userId: actor.userId, email: actor.email }, from);
    },

    /**
     * Ends what this browser has begun.
     * @param search of the address that the provider has led back to
     * @throws AppError `single-sign-on-expired`, `-refused`, `-failed`, `-unreachable`, `-unknown-person`;
     * `seats-used-up`, `address-not-allowed`
     */
    async complete(
      search: string,
      from: Here & { attempt: string | undefined; refreshToken: string | undefined },
    ): Promise<{ purpose: Attempt['purpose']; signedIn: SignedIn | null }> {
      await limits.take(`single-sign-on-ended:${addressKey(from.ip)}`, config.rates.signInsPerAddress, 900);
      const attempt = await attempts.read(from.attempt);
      const { companyId, purpose } = attempt;
      const row = await providers.ofCompany(companyId);
      // What was begun with another provider says nothing of this one.
      if (!row || row.issuer !== attempt.issuer || row.clientId !== attempt.clientId)
        throw new AppError('single-sign-on-expired');
      const url = new URL(attempt.redirectUri);
      url.search = search;
      const fresh = purpose === 'confirm';
      const { challenge } = attempt;
      const claims = await told(purpose, async () => oidc.complete(await clientOf(row), { url, challenge, fresh }));
      // Before anybody joins: who is outside takes no seat.
      const outside = { by: { companyId }, ip: from.ip, at: clock(), via: 'single-sign-on' } as const;
      const target = claims.email ?? claims.subject;
      await requireInside(db, await allowedRangesOf(db, companyId), { ...outside, target });
      const user = await personOf(row, claims, { ip: from.ip, onlyUserId: attempt.userId });
      if (purpose === 'test') {
        await noteTested(db, user, { row, ip: from.ip, at: clock() });
        return { purpose, signedIn: null };
      }
      const signedIn = await sessionFor(user, claims, from);
      if (purpose === 'confirm') await endEarlier(deps, from.refreshToken, user);
      return { purpose, signedIn };
    },
  };

  async function leave(
    row: Provider,
    { email, ...about }: Pick<Attempt, 'purpose' | 'userId'> & { email: string },
    { host }: Here,
  ): Promise<Begun> {
    const { companyId, issuer, clientId } = row;
    const redirectUri = redirectUriAt(config, host);
    const fresh = about.purpose === 'confirm';
    const { url, challenge } = await told(about.purpose, async () =>
      oidc.begin(await clientOf(row), { redirectUri, email, fresh }),
    );
    const attempt = await attempts.keep({ ...about, companyId, issuer, clientId, redirectUri, challenge });
    return { url, attempt };
  }

  async function sessionFor(user: typeof users.$inferSelect, claims: Claims, from: Here): Promise<SignedIn> {
    const providerUid = await knownToProvider(user);
    const now = clock().getTime();
    const proved = claims.authenticatedAt?.getTime() ?? 0;
    const authenticatedAt = new Date(Math.min(now, Math.max(proved, now - notRecentMs)));
    const grant = await provider.signInAs(providerUid, authenticatedAt);
    const begun = { ...from, methods: ['single-sign-on' as const], providerSession: claims.sid };
    const signedIn = await sessionOf(grant, begun);
    if (!signedIn) throw new AppError('single-sign-on-unknown-person');
    return { ...signedIn, device: devices.mark(user.email, from.device) };
  }
}

/** Where a provider leads back to: to the name under which the person has come. */
export function redirectUriAt(config: { publicUrl: string; brandHosts: BrandHosts }, host: string): string {
  const origin = config.brandHosts.has(host) ? originOf(host, config.publicUrl) : config.publicUrl;
  return `${origin}/login`;
}

/** Admins who try it read what is wrong with the address; all others that the provider is out of reach. */
async function told<T>(purpose: Attempt['purpose'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (purpose === 'test' || !isOutboundError(error)) throw error;
    throw new AppError('single-sign-on-unreachable', { cause: error });
  }
}
