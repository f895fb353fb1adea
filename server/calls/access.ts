import type { ActingKind } from '#contract/api-keys.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { allowedRangesOf, mayComeFrom, requireAllowedAddress } from './allowed-addresses.ts';

/** Whose access it is: all of a person's, or what they have in one session, or by one key; and from where. */
export interface Holder {
  companyId: string;
  userId: string;
  /** Absent where it is not known in which. */
  sessionId?: string | undefined;
  key?: { id: string; kind?: ActingKind } | undefined;
  /** Their address, by what the transport knows of the proxies in front of us. */
  ip: string;
}

/**
 * Calls back when the access ends while something of theirs is open, and says why; returns how to stop.
 * @param missed is called where its end may not have been heard; without it nothing is done then
 */
export type WatchAccess = (holder: Holder, ended: (reason: AppError) => void, missed?: () => void) => () => void;

export interface Access {
  watch: WatchAccess;
  /** For a door that asks for no bearer, which is looked at as a whole. @throws AppError `address-not-allowed` */
  requireAddress: (holder: Pick<Holder, 'companyId' | 'ip'>) => Promise<void>;
}

/**
 * Hears of every person who is removed or changed, of sessions and keys that are ended, and of companies that let their
 * people in from other addresses, in any process. A bearer is only looked at when a request begins, so without this a
 * stream or an upload that is already running would go on. Where some of it may not have been heard, whoever asked for
 * it is told so, and looks at the bearer again.
 */
export async function openAccess(db: Database): Promise<Access> {
  const ofPeople = new Map<string, Set<Watcher>>();
  const missed = () => {
    for (const watcher of [...ofPeople.values()].flatMap((ofPerson) => [...ofPerson])) watcher.missed?.();
  };
  await db.listen('people', heardOfPerson, missed);
  await db.listen('addresses', ({ companyId }) => {
    void endOutside(String(companyId));
  });

  function heardOfPerson({ userId, sessionId, exceptSessionId, keyId }: Record<string, unknown>): void {
    for (const { holder, ended } of [...(ofPeople.get(String(userId)) ?? [])]) {
      const isOther = sessionId !== undefined && holder.sessionId !== sessionId;
      const isOtherKey = keyId !== undefined && holder.key?.id !== keyId;
      // Keys are no sessions: they do not end with them. Apps do, when all others end.
      const isApp = holder.key?.kind === 'app';
      const isKey = holder.key !== undefined && !isApp;
      const isKept = exceptSessionId !== undefined && (isKey || (!isApp && holder.sessionId === exceptSessionId));
      const reason = isApp ? 'invalid-app-token' : isKey ? 'invalid-api-key' : 'session-expired';
      if (!isOther && !isOtherKey && !isKept) ended(new AppError(reason));
    }
  }

  /** Where the list can't be read, nobody is known to be on it. */
  async function endOutside(companyId: string): Promise<void> {
    const ranges = await allowedRangesOf(db, companyId).catch(() => []);
    for (const watcher of [...ofPeople.values()].flatMap((ofPerson) => [...ofPerson])) {
      const { holder, ended } = watcher;
      if (holder.companyId === companyId && !mayComeFrom(ranges, holder.ip)) ended(new AppError('address-not-allowed'));
    }
  }

  return {
    requireAddress: ({ companyId, ip }) => requireAllowedAddress(db, companyId, ip),

    watch(holder, ended, missed) {
      const { userId } = holder;
      const ofPerson = ofPeople.get(userId) ?? new Set();
      const watcher = { holder, ended, missed };
      ofPeople.set(userId, ofPerson.add(watcher));
      return () => {
        ofPerson.delete(watcher);
        if (ofPerson.size === 0 && ofPeople.get(userId) === ofPerson) ofPeople.delete(userId);
      };
    },
  };
}

interface Watcher {
  holder: Holder;
  ended: (reason: AppError) => void;
  missed: (() => void) | undefined;
}
