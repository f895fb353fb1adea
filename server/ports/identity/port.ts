import type { Role } from '#contract/permissions.ts';
import type { Tx } from '#server/db/db.ts';

/** What an ID token says of its bearer. Role and company come from the token before the user record. */
export interface VerifiedToken {
  /** The provider's id of the person. */
  uid: string;
  email: string;
  role?: Role;
  companyId?: string;
  /** Whole seconds. */
  issuedAt: Date;
  /** When the person last proved who they are: at sign-in, not at a refresh. Whole seconds. */
  authenticatedAt: Date;
  /** The session that it is of, for `sessionIsOpen`; absent in one made before sessions had names. */
  sessionId?: string;
}

/** Checks bearers. Issuers and algorithms are on an allow-list. */
export interface TokenVerifier {
  /**
   * Whether nobody but us says what tokens claim: one that differs from our record is then old. Elsewhere it may have
   * been set by the provider's own admin, whose word comes first.
   */
  readonly claimsAreOurs: boolean;
  /** @throws AppError `unauthenticated` for anything but a valid, unexpired token of a known issuer. */
  verify(bearer: string): Promise<VerifiedToken>;
}

/** What goes into a person's ID tokens from their next one on. */
export interface Claims {
  role: Role;
  companyId: string;
}

export interface RefreshToken {
  value: string;
  expiresAt: Date;
}

/** What a person gets who has proved who they are. */
export interface Grant {
  uid: string;
  email: string;
  idToken: string;
  expiresAt: Date;
  refreshToken: RefreshToken;
}

export type CodePurpose = 'reset' | 'invite';

/**
 * Whoever keeps the passwords and makes the tokens: our own service, or one that a company already has. It knows
 * people by e-mail (lower case) and by its own `uid`; what company they belong to is told to it as claims.
 * Every method may throw AppError `unavailable`; nothing here takes part in our transactions, but
 * where one is handed over (`within`): who asks while it holds a connection has a provider that keeps its people in our
 * database use that one, since a second one may not be given before it lets go of the first.
 */
export interface IdentityProvider extends TokenVerifier {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;
  /** The public keys of the tokens it makes, as a JSON Web Key Set; null where another host publishes them. */
  jwks(): Promise<object | null>;

  /**
   * Takes the same time for an unknown e-mail, a person without a password and a wrong password.
   * @param from whose share of the work it takes, of a provider that works here: the caller's address. The same
   * wherever a password is given.
   * @throws AppError `invalid-credentials`, `too-many-requests`.
   */
  signIn(email: string, password: string, from?: string): Promise<Grant>;
  /**
   * Begins a session for somebody who has proved who they are otherwise.
   * @param authenticatedAt when
   * @throws AppError `invalid-credentials` for a uid that is not known; `single-sign-on-elsewhere` where only the
   * provider itself can say so.
   */
  signInAs(uid: string, authenticatedAt: Date): Promise<Grant>;
  /** Exchanges a refresh token; null when its session is over. A token may be rotated: the newest one counts. */
  refresh(refreshToken: string): Promise<Grant | null>;
  /**
   * Whether a session, by the id in its tokens, goes on. One that is not known here (any more) can't have been ended
   * here.
   */
  sessionIsOpen(uid: string, sessionId: string): Promise<boolean>;
  /**
   * The sessions of a person that go on, by the ids in their tokens. Of a provider that others use, too, those that
   * began here.
   */
  openSessions(uid: string): Promise<string[]>;
  /**
   * Ends the session of a refresh token. @returns whose it was, by the id in its tokens; null for one that is unknown
   * or over.
   */
  endSession(refreshToken: string): Promise<{ uid: string; sessionId: string } | null>;
  /** Idempotent. Ends a session by the id in its tokens: its refresh token works no more. ID tokens go on. */
  endSessionById(uid: string, sessionId: string): Promise<void>;

  /**
   * Creates a person. Not idempotent.
   * @param user.uid what to know the person by (a UUID of ours): written down before, it finds a half-made account
   * again.
   * @param user.password absent: the person cannot sign in until a code has set one.
   * @throws AppError `email-already-in-use`, `weak-password`, `too-many-requests`.
   */
  createUser(user: { uid: string; email: string; password?: string; from?: string }): Promise<{ uid: string }>;
  findUser(email: string, within?: Tx): Promise<{ uid: string } | null>;
  /** Idempotent: someone who is not there is fine. Ends their sessions and codes too. */
  deleteUser(uid: string, within?: Tx): Promise<void>;
  /** Idempotent. Shows in tokens made from now on. */
  setClaims(uid: string, claims: Claims, within?: Tx): Promise<void>;
  /**
   * Idempotent. Ends all sessions of a person: no refresh token works any more. ID tokens end by `tokensValidSince`.
   */
  revoke(uid: string): Promise<void>;

  /** A code that lets its holder set a password once, within an hour; null for an unknown e-mail. */
  createResetCode(email: string): Promise<string | null>;
  /** A code that lets an invited person set their first password once, within 7 days. Earlier ones end. */
  createInviteCode(uid: string): Promise<{ code: string; expiresAt: Date }>;
  /** Whose code it is; does not use it up. @throws AppError `invalid-code` for one unknown, used or expired. */
  verifyCode(code: string): Promise<{ uid: string; email: string; purpose: CodePurpose }>;
  /**
   * Uses the code up and sets the password. Of several at once exactly one succeeds.
   * All sessions of the person end. A password that is refused leaves the code as it was.
   * @throws AppError `invalid-code`, `weak-password`, `too-many-requests`.
   */
  confirmCode(
    code: string,
    newPassword: string,
    from?: string,
  ): Promise<{ uid: string; email: string; purpose: CodePurpose }>;

  /** What has to be done now and then, hourly is often enough: new signing keys, old sessions and codes removed. */
  upkeep(): Promise<void>;
}

/**
 * What `tokensValidSince` has to be so that every token made up to now is refused: the next whole second. A token's
 * issue time has whole seconds, rounded down, so the present second would still let those pass that were made at its
 * very beginning.
 */
export function endOfTokens(now: Date): Date {
  return new Date((Math.floor(now.getTime() / 1000) + 1) * 1000);
}

/**
 * The issue time from which on a user's tokens are valid. A token's issue time has whole seconds, rounded down;
 * `tokensValidSince` may have parts of a second. Rounded up, it refuses every token issued before, also one of the same
 * second; so that a new token is not refused with them, a provider makes none in the rest of that second: it waits.
 */
export function earliestIssue(tokensValidSince: Date): Date {
  return new Date(Math.ceil(tokensValidSince.getTime() / 1000) * 1000);
}
