import { setTimeout as wait } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { type Account, accountsIn } from './embedded/accounts.ts';
import { codesIn } from './embedded/codes.ts';
import { audience, idTokenVerifier } from './embedded/id-tokens.ts';
import { openSigningKeys, signingAlgorithm } from './embedded/keys.ts';
import { openPasswords, requireLength } from './embedded/passwords.ts';
import { type Session, sessionsIn } from './embedded/sessions.ts';
import { earliestIssue, type Grant, type IdentityProvider } from './port.ts';
import { secretFor } from './service-keys.ts';

export const tokenLifetimeSeconds = 15 * 60;
/** What is no UUID would be an error of the database. */
const isFamilyId = (text: string) => z.uuid().safeParse(text).success;
/**
 * The identity provider that needs nothing else: argon2id hashes in our own database, ID tokens signed with keys of our
 * own.
 * @param issuer our public address.
 * @param clock milliseconds since the epoch.
 */
export async function openEmbeddedIdentity(
  db: Database,
  issuer: string,
  clock: () => number = Date.now,
): Promise<IdentityProvider> {
  const keys = await openSigningKeys(db, { tokenLifetimeSeconds, clock });
  const passwords = await openPasswords();
  const accounts = accountsIn(db, clock);
  const sessions = sessionsIn(db, await secretFor(db, 'refresh-token'), clock);
  const codes = codesIn(db, clock);

  /** Null: the session has ended meanwhile. */
  async function grant(begun: Session): Promise<Grant | null> {
    let session: Session | null = begun;
    let from = earliestOf(begun);
    while (from > session.at) {
      // Dated ahead instead, it would outlive the next end of the person's tokens, if that came within the same second.
      // Two more, since a timer may be early.
      await wait(Math.max(0, Math.min(1000, from - clock())) + 2);
      session = await sessions.still(session);
      if (!session) return null;
      if (earliestOf(session) === from) break;
      from = earliestOf(session);
    }
    const { account, authenticatedAt, familyId, refreshToken } = session;
    const { uid, email } = account;
    // Of the moment in which the session was seen alive: signing takes time, and what ends all tokens may come in
    // between.
    const issuedAt = Math.max(Math.floor(session.at / 1000), from / 1000);
    const expires = issuedAt + tokenLifetimeSeconds;
    const { kid, key } = await keys.forSigning();
    const idToken = await new SignJWT({
      email,
      ...account.claims,
      auth_time: Math.floor(authenticatedAt.getTime() / 1000),
      sid: familyId,
    })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setSubject(uid)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expires)
      .sign(key);
    return { uid, email, idToken, expiresAt: new Date(expires * 1000), refreshToken };
  }

  return {
    name: 'embedded',
    claimsAreOurs: true,

    verify: idTokenVerifier({ keys, issuer, clock }),

    jwks: () => keys.published(),

    async signIn(email, password, from) {
      const account = await accounts.byEmail(email);
      // Always hashed, whether there is anything to compare with or not: the time taken must not tell.
      const right = await passwords.matches(password, account?.passwordHash ?? null, from);
      const session = account && right ? await sessions.start(account) : null;
      const granted = session && (await grant(session));
      if (!granted) throw new AppError('invalid-credentials');
      return granted;
    },

    async signInAs(uid, authenticatedAt) {
      const account = await accounts.byUid(uid);
      const session = account && (await sessions.start(account, authenticatedAt));
      const granted = session && (await grant(session));
      if (!granted) throw new AppError('invalid-credentials');
      return granted;
    },

    async refresh(refreshToken) {
      const session = await sessions.rotate(refreshToken);
      return session && grant(session);
    },

    sessionIsOpen: async (uid, familyId) => isFamilyId(familyId) && sessions.isOpen(uid, { familyId }),
    openSessions: async (uid) => (await sessions.open(uid)).map(({ familyId }) => familyId),
    endSession: async (refreshToken) => {
      const ended = await sessions.end(refreshToken);
      return ended && { uid: ended.uid, sessionId: ended.familyId };
    },
    async endSessionById(uid, familyId) {
      if (isFamilyId(familyId)) await sessions.endThose(uid, { familyId });
    },

    async createUser({ uid, email, password, from }) {
      if (password !== undefined) requireLength(password);
      const passwordHash = password === undefined ? null : await passwords.hash(password, from);
      await accounts.create({ uid, email, passwordHash });
      return { uid };
    },

    async findUser(email, within) {
      const account = await accounts.byEmail(email, within);
      return account && { uid: account.uid };
    },

    deleteUser: (uid, within) => accounts.remove(uid, within),
    setClaims: (uid, { role, companyId }, within) => accounts.setClaims(uid, { role, companyId }, within),
    revoke: (uid) => sessions.endAll(uid),

    async createResetCode(email) {
      const account = await accounts.byEmail(email);
      return account && (await codes.create(account.uid, 'reset')).code;
    },

    createInviteCode: (uid) => codes.create(uid, 'invite'),

    async verifyCode(code) {
      const { account, purpose } = await codes.find(code);
      return { ...naming(account), purpose };
    },

    async confirmCode(code, newPassword, from) {
      // Found before the hash is made: nonsense must not cost anything.
      await codes.find(code);
      requireLength(newPassword);
      const passwordHash = await passwords.hash(newPassword, from);
      const { account, purpose } = await codes.use(code, async () => passwordHash);
      return { ...naming(account), purpose };
    },

    async upkeep() {
      await keys.rotate();
      await sessions.sweep();
      await codes.sweep();
    },
  };
}

/** The first moment that a token of the session may be dated with (ms since the epoch). */
function earliestOf({ account: { tokensFrom } }: Session): number {
  return tokensFrom ? earliestIssue(tokensFrom).getTime() : 0;
}

function naming({ uid, email }: Account): { uid: string; email: string } {
  return { uid, email };
}
