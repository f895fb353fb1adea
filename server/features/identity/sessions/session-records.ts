import type { SignInMethod } from '#contract/sign-in.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNull, lt, ne, or } from '#server/db/drizzle.ts';
import { type companies, sessions, type users } from '#server/db/schema.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { agentName } from './agent-name.ts';
import { endApps } from './apps.ts';

/** So long the refresh token of a session lasts that nobody uses. */
const unusedMs = 30 * 86_400_000;
/** Longer than any token of a session that has ended. */
const rememberEndMs = 2 * 86_400_000;

/** Where a session is used. */
export interface Place {
  ip: string;
  /** Its `User-Agent`. */
  agent?: string | undefined;
}

interface SessionKey {
  companyId: string;
  userId: string;
  sessionId: string;
}

/** What a company has decided about how long sessions last; null: nothing. */
export type SessionLimits = Pick<typeof companies.$inferSelect, 'sessionDays' | 'sessionIdleMinutes'>;

/** Whether the company wants the person to sign in again by now. */
export function isOver(
  { sessionDays, sessionIdleMinutes }: SessionLimits,
  { begunAt, seenAt, now }: { begunAt: Date; seenAt: Date; now: Date },
): boolean {
  const tooOld = sessionDays !== null && now.getTime() >= begunAt.getTime() + sessionDays * 86_400_000;
  const unused = sessionIdleMinutes !== null && now.getTime() > seenAt.getTime() + sessionIdleMinutes * 60_000;
  return tooOld || unused;
}

/** Writes down that a session has begun. */
export async function noteBegin(
  tx: Tx,
  key: SessionKey,
  {
    place,
    methods,
    providerSession = null,
    at,
  }: { place: Place; methods: SignInMethod[]; providerSession?: string | null | undefined; at: Date },
): Promise<void> {
  const values = { ...rowOf(key, place), methods, providerSession, createdAt: at, seenAt: at, endedAt: null };
  await tx
    .insert(sessions)
    .values(values)
    // A provider that names sessions by their second may give one the name of an earlier one.
    .onConflictDoUpdate({ target: [sessions.companyId, sessions.userId, sessions.id], set: values });
}

/**
 * Writes down that a session goes on.
 * @param begunAt of one that has begun before sessions were written down
 * @returns when it was seen before; null: it has ended.
 */
export async function noteUse(
  tx: Tx,
  key: SessionKey,
  { place, begunAt, at }: { place: Place; begunAt: Date; at: Date },
): Promise<{ seenAt: Date } | null> {
  const [known] = await tx.select().from(sessions).where(is(key)).for('update');
  if (known?.endedAt) return null;
  const row = rowOf(key, place);
  if (known)
    await tx
      .update(sessions)
      .set({ ...row, seenAt: at })
      .where(is(key));
  else await tx.insert(sessions).values({ ...row, methods: ['password'], createdAt: begunAt, seenAt: at });
  return { seenAt: known?.seenAt ?? at };
}

/** With what a session was begun. */
export async function methodsOf(tx: Tx, key: SessionKey): Promise<SignInMethod[]> {
  const [row] = await tx.select({ methods: sessions.methods }).from(sessions).where(is(key));
  return row?.methods ?? ['password'];
}

/** Marks all sessions of a person as ended, but for one; with them go the apps that the person has connected. */
export async function noteEnds(
  tx: Tx,
  { companyId, userId, except, at }: { companyId: string; userId: string; except?: string | undefined; at: Date },
): Promise<void> {
  const ofPerson = and(eq(sessions.companyId, companyId), eq(sessions.userId, userId), isNull(sessions.endedAt));
  await holdSessions(tx, { companyId, userId });
  await tx
    .update(sessions)
    .set({ endedAt: at })
    .where(except === undefined ? ofPerson : and(ofPerson, ne(sessions.id, except)));
  await endApps(tx, { companyId, userId, at });
}

/** Holds a person's sessions in the order of their ids: who ends several one by one else waits for who ends all. */
export async function holdSessions(
  tx: Tx,
  { companyId, userId }: Pick<SessionKey, 'companyId' | 'userId'>,
): Promise<void> {
  const ofPerson = and(eq(sessions.companyId, companyId), eq(sessions.userId, userId), isNull(sessions.endedAt));
  await tx.select({ id: sessions.id }).from(sessions).where(ofPerson).orderBy(sessions.id).for('no key update');
}

/** Marks one as ended; one of before sessions were written down is written down as such. */
export async function noteEnd(tx: Tx, key: SessionKey, at: Date): Promise<void> {
  const { companyId, userId, sessionId: id } = key;
  await tx
    .insert(sessions)
    .values({ companyId, userId, id, agent: '', address: '', methods: [], createdAt: at, seenAt: at, endedAt: at })
    .onConflictDoUpdate({ target: [sessions.companyId, sessions.userId, sessions.id], set: { endedAt: at } });
}

/** Ends the session that a browser had before it signed in anew, where that was the same person's. */
export async function endEarlier(
  { db, provider, clock }: { db: Database; provider: Pick<IdentityProvider, 'endSession'>; clock: () => Date },
  refreshToken: string | undefined,
  { companyId, id: userId, providerUid }: Pick<typeof users.$inferSelect, 'companyId' | 'id' | 'providerUid'>,
): Promise<void> {
  const earlier = refreshToken === undefined ? null : await provider.endSession(refreshToken);
  if (earlier === null || earlier.uid !== providerUid) return;
  await db.asSystem((tx) => noteEnd(tx, { companyId, userId, sessionId: earlier.sessionId }, clock()));
}

/** Forgets sessions that have ended so long ago that no token of theirs is left. */
export async function clearSessions(db: Database, now: Date): Promise<void> {
  const ended = lt(sessions.endedAt, new Date(now.getTime() - rememberEndMs));
  const unused = lt(sessions.seenAt, new Date(now.getTime() - unusedMs - rememberEndMs));
  await db.asSystem((tx) => tx.delete(sessions).where(or(ended, unused)));
}

function rowOf({ companyId, userId, sessionId: id }: SessionKey, { ip: address, agent }: Place) {
  return { companyId, userId, id, address, agent: agentName(agent) };
}

function is({ companyId, userId, sessionId }: SessionKey) {
  return and(eq(sessions.companyId, companyId), eq(sessions.userId, userId), eq(sessions.id, sessionId));
}
