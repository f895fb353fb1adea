import type { ActingKind, ApiKeyScope } from '#contract/api-keys.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import type { Role } from '#contract/permissions.ts';

/** Who is calling: what the transport makes of a valid bearer before any handler runs. */
export interface Actor {
  /** A person's; of a company's key its own, under which it is counted, remembered, and asked about as a reader. */
  userId: string;
  /** Of a company's key, which has none, its name. */
  email: string;
  companyId: string;
  role: Role;
  /** The key, or the connected app, by which the call is made; absent for whoever is signed in. */
  key?: ActingKey | undefined;
  /** When the person last proved who they are. A key never does. */
  authenticatedAt: Date;
  /** The session of the bearer; absent where it names none. */
  sessionId?: string | undefined;
  entitlements: Entitlements;
  /** When the person's company ends, where that was asked for: it is closed until then. */
  companyEndsAt?: Date | null;
}

export interface ActingKey {
  id: string;
  name: string;
  kind: ActingKind;
  scope: ApiKeyScope;
}

/**
 * Makes an actor of a bearer.
 * @param from.ip where it comes from, by what the transport knows of the proxies in front of us
 * @param from.enrolling for the few calls that are open to those who have yet to set up the second factor that their
 * company asks for
 * @throws AppError of status UNAUTHENTICATED when the bearer is not valid (any more); `address-not-allowed`,
 * `second-factor-missing`; for a key `subscription-required`, `feature-not-in-plan`
 */
export type Authenticate = (bearer: string, from: { ip: string; enrolling?: boolean }) => Promise<Actor>;

/**
 * Makes an actor of the token of a connected app.
 * @param from.resource the address that was asked: a token is good for the one that it was made for
 * @throws AppError `invalid-app-token`, and what a key is refused with
 */
export type AuthenticateApp = (token: string, from: { ip: string; resource: string }) => Promise<Actor>;
