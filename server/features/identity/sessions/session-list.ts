import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, desc, eq, isNull } from '#server/db/drizzle.ts';
import { companies, sessions, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { holdSessions, isOver, noteEnd, noteEnds } from './session-records.ts';

/** Where a person is signed in, and how they end that. */
export function createSessionList(deps: { db: Database; provider: IdentityProvider; clock: () => Date }) {
  const { db, provider, clock } = deps;

  async function providerUidOf(actor: Actor): Promise<string> {
    const [user] = await db.asCompany(actor.companyId, (tx) =>
      tx.select({ providerUid: users.providerUid }).from(users).where(eq(users.id, actor.userId)),
    );
    if (!user?.providerUid) throw new AppError('session-expired');
    return user.providerUid;
  }

  return {
    /** The sessions of whoever asks that go on, the one used last first. */
    async listSessions(actor: Actor): Promise<CallOutput<'listSessions'>> {
      const open = new Set(await provider.openSessions(await providerUidOf(actor)));
      const now = clock();
      const rows = await db.asCompany(actor.companyId, (tx) =>
        tx
          .select({ session: sessions, sessionDays: companies.sessionDays, idle: companies.sessionIdleMinutes })
          .from(sessions)
          .innerJoin(companies, eq(companies.id, sessions.companyId))
          .where(and(eq(sessions.userId, actor.userId), isNull(sessions.endedAt)))
          .orderBy(desc(sessions.seenAt)),
      );
      return rows.flatMap(({ session, sessionDays, idle: sessionIdleMinutes }) => {
        const { id, createdAt, seenAt, address, agent, methods } = session;
        const current = id === actor.sessionId;
        const over = isOver({ sessionDays, sessionIdleMinutes }, { begunAt: createdAt, seenAt, now });
        if (!current && (over || !open.has(id))) return [];
        const times = { createdAt: createdAt.toISOString(), seenAt: seenAt.toISOString() };
        return [{ sessionId: id, current, ...times, address, agent, methods }];
      });
    },

    /**
     * Ends one of the caller's sessions: its tokens are refused, and what is open in it ends, when this resolves.
     * @throws AppError `session-not-found`
     */
    async endSession(by: Actor & { ip: string }, sessionId: string): Promise<void> {
      const { companyId, userId } = by;
      const providerUid = await providerUidOf(by);
      const known = await db.asCompany(companyId, (tx) => openOne(tx, userId, sessionId));
      if (!known) throw new AppError('session-not-found');
      // First there, so that an end that fails half way can be asked for again.
      await provider.endSessionById(providerUid, sessionId);
      await db.asCompany(companyId, async (tx) => {
        if (!(await openOne(tx, userId, sessionId))) throw new AppError('session-not-found');
        await noteEnd(tx, { companyId, userId, sessionId }, clock());
        await audit(tx, { action: 'session-ended', by, target: known.agent, at: clock() });
        await db.notify(tx, 'people', { userId, sessionId });
      });
    },

    /** Ends all sessions of the caller but the one of the call. */
    endOtherSessions: (by: Actor & { ip: string }): Promise<void> =>
      closeOthers(by, (tx, sessions) =>
        audit(tx, { action: 'other-sessions-ended', by, details: { sessions }, at: clock() }),
      ),

    closeOthers,
  };

  /** @param alsoDone in the transaction that writes the ends down; told how many there were */
  async function closeOthers(
    by: Actor,
    alsoDone: (tx: Tx, sessions: number) => Promise<void> = async () => {},
  ): Promise<void> {
    const { companyId, userId, sessionId: except } = by;
    const providerUid = await providerUidOf(by);
    // In order, for those that are not written down yet.
    const others = (await provider.openSessions(providerUid)).filter((id) => id !== except).sort();
    for (const id of others) await provider.endSessionById(providerUid, id);
    await db.asCompany(companyId, async (tx) => {
      const at = clock();
      await holdSessions(tx, { companyId, userId });
      for (const sessionId of others) await noteEnd(tx, { companyId, userId, sessionId }, at);
      await noteEnds(tx, { companyId, userId, except, at });
      await alsoDone(tx, others.length);
      await db.notify(tx, 'people', { userId, exceptSessionId: except ?? '' });
    });
  }

  async function openOne(tx: Tx, userId: string, sessionId: string) {
    const [row] = await tx
      .select({ agent: sessions.agent })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId), isNull(sessions.endedAt)));
    return row;
  }
}
