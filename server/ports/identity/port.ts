import type { Role } from '#contract/permissions.ts';

/** What an ID token says of its bearer. Role and company come from the token before the user record. */
export interface VerifiedToken {
  uid: string;
  email: string;
  role?: Role;
  companyId?: string;
  /** Whole seconds. */
  issuedAt: Date;
}

/** Checks bearers. Issuers and algorithms are on an allow-list. */
export interface TokenVerifier {
  /** @throws AppError `unauthenticated` for anything but a valid, unexpired token of a known issuer. */
  verify(bearer: string): Promise<VerifiedToken>;
}

/** An identity service that keeps the passwords and makes the tokens itself. */
export interface IdentityService extends TokenVerifier {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;
  /** Makes an ID token, never dated before `earliestIssue` of the user. */
  issue(user: TokenUser): Promise<{ idToken: string; expiresAt: Date }>;
  /** The public keys that verify its tokens, as a JSON Web Key Set. */
  jwks(): object;
  /** A hash to store of a password. */
  hash(password: string): Promise<string>;
  /** Whether the password belongs to the hash; takes the same time and says no where there is no hash (null). */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** The refresh token that follows on this one: always the same, and not to be guessed without the service's key. */
  successorOf(refreshToken: string): string;
}

export interface TokenUser {
  uid: string;
  email: string;
  role: Role;
  companyId: string;
  tokensValidSince: Date;
}

/**
 * The issue time from which on a user's tokens are valid. A token's issue time has whole seconds, rounded down;
 * `tokensValidSince` has parts of a second. Rounded up, it refuses every token issued before, also one of the same second;
 * so that a new token of that second is not refused with them, `issue` dates none before this time.
 */
export function earliestIssue(tokensValidSince: Date): Date {
  return new Date(Math.ceil(tokensValidSince.getTime() / 1000) * 1000);
}
