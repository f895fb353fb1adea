import { setTimeout } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { type Account, accountsIn } from './embedded/accounts.ts';
import { codesIn } from './embedded/codes.ts';
import { requireLength } from './embedded/passwords.ts';
import { type Session, sessionsIn } from './embedded/sessions.ts';
import { remoteSessionsIn } from './identity-toolkit/remote-sessions.ts';
import { type ToolkitOptions, toolkitRest } from './identity-toolkit/rest.ts';
import { emulatorVerifier, googleVerifier } from './identity-toolkit/verifier.ts';
import { earliestIssue, type Grant, type IdentityProvider } from './port.ts';
import { secretFor } from './service-keys.ts';

const nothing = z.unknown();
const person = z.object({ localId: z.string() });
const found = z.object({ users: z.array(person).optional() });

/** What Google says of a session that it has ended. */
const over: ErrorCode[] = ['session-expired', 'user-not-found', 'invalid-credentials'];

/**
 * Google Identity Platform (Firebase Auth) keeps the passwords and signs the ID tokens. Sessions and invitation codes
 * are ours all the same: Google can end neither one session alone, nor mail a code that works for a week. For these we
 * keep a row for each of its accounts that has signed in here or was made by us.
 */
export async function openIdentityToolkit(
  db: Database,
  options: ToolkitOptions,
  clock: () => number = Date.now,
): Promise<IdentityProvider> {
  const rest = toolkitRest(options);
  const verifier = options.emulatorUrl ? emulatorVerifier(options.projectId) : googleVerifier(options.projectId);
  const secret = await secretFor(db, 'refresh-token');
  const accounts = accountsIn(db, clock);
  const sessions = sessionsIn(db, secret, clock);
  const remote = remoteSessionsIn(db, secret);
  const codes = codesIn(db, clock);

  /** A new ID token of the session; null when Google has ended it. */
  async function renewed(session: Session): Promise<Grant | null> {
    const { account, familyId, refreshToken } = session;
    const googles = await remote.read(familyId);
    if (googles === null) return null;
    try {
      let fresh = await rest.exchange(googles);
      const early = await millisecondsTooEarly(account, fresh.idToken);
      if (early > 0) {
        await setTimeout(early);
        fresh = await rest.exchange(fresh.refreshToken);
      }
      if (fresh.refreshToken !== googles) await remote.keep(familyId, account.uid, fresh.refreshToken);
      // It may have ended while Google was asked, and the token would be newer than that end.
      if (!(await sessions.still(session))) return null;
      const expiresAt = new Date((decodeJwt(fresh.idToken).exp ?? 0) * 1000);
      return { uid: account.uid, email: account.email, idToken: fresh.idToken, expiresAt, refreshToken };
    } catch (error) {
      if (!(error instanceof AppError) || !over.includes(error.code)) throw error;
      await sessions.end(refreshToken.value);
      return null;
    }
  }

  /** A token of the very second in which the earlier ones ended would be refused with them. */
  async function millisecondsTooEarly({ tokensFrom }: Account, idToken: string): Promise<number> {
    if (tokensFrom === null) return 0;
    const { issuedAt } = await verifier.verify(idToken);
    return Math.min(1000, earliestIssue(tokensFrom).getTime() - issuedAt.getTime());
  }

  /** Whose code of Google's it is; with a password, it is used up. @throws AppError `invalid-code`, `weak-password` */
  async function googlesCode(oobCode: string, newPassword?: string): Promise<{ uid: string; email: string }> {
    const answer = z.object({ email: z.string(), requestType: z.string().optional() });
    const { email, requestType } = await rest.asPerson('accounts:resetPassword', { oobCode, newPassword }, answer);
    const user = requestType === 'PASSWORD_RESET' ? await lookup({ email: [email] }) : null;
    if (!user) throw new AppError('invalid-code');
    return { uid: user.localId, email };
  }

  async function ourCode(code: string) {
    return codes.find(code).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid-code') return null;
      throw error;
    });
  }

  async function lookup(by: { email: string[] } | { localId: string[] }) {
    const { users = [] } = await rest.asAdmin('accounts:lookup', by, found);
    return users[0] ?? null;
  }

  return {
    name: options.emulatorUrl ? 'Identity Toolkit (emulator)' : 'Identity Toolkit',
    claimsAreOurs: verifier.claimsAreOurs,
    verify: verifier.verify,
    jwks: async () => null,

    async signIn(email, password) {
      const answer = person.extend({ refreshToken: z.string(), idToken: z.string() });
      const body = { email, password, returnSecureToken: true };
      const signedIn = await rest.asPerson('accounts:signInWithPassword', body, answer);
      const authTime = z.number().parse(decodeJwt(signedIn.idToken).auth_time);
      const account = await accounts.adopt({ uid: signedIn.localId, email });
      const session = await sessions.start(account, new Date(authTime * 1000));
      if (!session) throw new AppError('invalid-credentials');
      await remote.keep(session.familyId, session.account.uid, signedIn.refreshToken);
      const grant = await renewed(session);
      if (!grant) throw new AppError('invalid-credentials');
      return grant;
    },

    async signInAs() {
      throw new AppError('single-sign-on-elsewhere');
    },

    async refresh(refreshToken) {
      const session = await sessions.rotate(refreshToken);
      return session && renewed(session);
    },

    async sessionIsOpen(uid, sessionId) {
      const authenticatedAt = new Date(Number(sessionId) * 1000);
      // Signed in elsewhere in the same project, it is no session of ours, and ends with its tokens.
      const known = await sessions.isKnown(uid, { authenticatedAt });
      return !known || sessions.isOpen(uid, { authenticatedAt });
    },

    openSessions: async (uid) => (await sessions.open(uid)).map(sessionIdOf),
    endSession: async (refreshToken) => {
      const ended = await sessions.end(refreshToken);
      return ended && { uid: ended.uid, sessionId: sessionIdOf(ended) };
    },
    async endSessionById(uid, sessionId) {
      const authenticatedAt = new Date(Number(sessionId) * 1000);
      if (Number.isFinite(authenticatedAt.getTime())) await sessions.endThose(uid, { authenticatedAt });
    },

    async createUser({ uid, email, password }) {
      if (password !== undefined) requireLength(password);
      const { localId } = await rest.asAdmin('accounts', { localId: uid, email, password }, person);
      await accounts.adopt({ uid: localId, email });
      return { uid: localId };
    },

    async findUser(email) {
      const user = await lookup({ email: [email] });
      return user && { uid: user.localId };
    },

    async deleteUser(uid, within) {
      await rest.asAdmin('accounts:delete', { localId: uid }, nothing).catch(unlessGone);
      await accounts.remove(uid, within);
    },

    async setClaims(uid, { role, companyId }, within) {
      const customAttributes = JSON.stringify({ role, companyId });
      await rest.asAdmin('accounts:update', { localId: uid, customAttributes }, nothing).catch(unlessGone);
      await accounts.setClaims(uid, { role, companyId }, within);
    },

    async revoke(uid) {
      const validSince = String(Math.floor(clock() / 1000));
      await rest.asAdmin('accounts:update', { localId: uid, validSince }, nothing).catch(unlessGone);
      await sessions.endAll(uid);
    },

    async createResetCode(email) {
      const body = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
      const answer = z.object({ oobLink: z.url() });
      try {
        const { oobLink } = await rest.asAdmin('accounts:sendOobCode', body, answer);
        return new URL(oobLink).searchParams.get('oobCode');
      } catch (error) {
        // Its way to say that nobody has this e-mail.
        if (error instanceof AppError && error.code === 'invalid-credentials') return null;
        throw error;
      }
    },

    createInviteCode: (uid) => codes.create(uid, 'invite'),

    async verifyCode(code) {
      const invited = await ourCode(code);
      if (!invited) return { ...(await googlesCode(code)), purpose: 'reset' };
      return { uid: invited.account.uid, email: invited.account.email, purpose: invited.purpose };
    },

    async confirmCode(code, newPassword) {
      requireLength(newPassword);
      if (!(await ourCode(code))) {
        const person = await googlesCode(code, newPassword);
        await sessions.endAll(person.uid);
        return { ...person, purpose: 'reset' };
      }
      const { account, purpose } = await codes.use(code, async (localId) => {
        await rest.asAdmin('accounts:update', { localId, password: newPassword }, nothing);
        return null;
      });
      return { uid: account.uid, email: account.email, purpose };
    },

    async upkeep() {
      await sessions.sweep();
      await codes.sweep();
      await remote.sweep();
    },
  };
}

/** Google's tokens name no session, but keep the time of the sign-in. */
function sessionIdOf({ authenticatedAt }: { authenticatedAt: Date }): string {
  return String(Math.floor(authenticatedAt.getTime() / 1000));
}

function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'user-not-found') throw error;
}
