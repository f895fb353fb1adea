import type { Role } from '#contract/permissions.ts';

/** What an ID token says of its bearer. Role and company come from the token before the user record. */
export interface VerifiedToken {
  uid: string;
  email: string;
  role?: Role;
  companyId?: string;
  issuedAt: Date;
}

/** Checks bearers. Issuers and algorithms are on an allow-list. */
export interface TokenVerifier {
  /** @throws AppError `unauthenticated` for anything but a valid, unexpired token of a known issuer. */
  verify(bearer: string): Promise<VerifiedToken>;
}
