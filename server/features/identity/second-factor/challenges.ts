import type { Tx } from '#server/db/db.ts';
import { and, desc, eq, gt, lte, notInArray } from '#server/db/drizzle.ts';
import { passkeyChallenges } from '#server/db/schema.ts';

const challengeMs = 5 * 60_000;
/** As many sign-ins of a person can be under way. */
const maxChallenges = 20;

export interface Person {
  companyId: string;
  userId: string;
}

/** What browsers were asked to sign with a passkey, each to be answered once. */
export function createChallenges(clock: () => Date) {
  async function keep(tx: Tx, person: Person, challenge: string): Promise<void> {
    const expiresAt = new Date(clock().getTime() + challengeMs);
    await tx.insert(passkeyChallenges).values({ ...person, challenge, expiresAt });
    const ofPerson = eq(passkeyChallenges.userId, person.userId);
    const newest = tx
      .select({ challenge: passkeyChallenges.challenge })
      .from(passkeyChallenges)
      .where(ofPerson)
      .orderBy(desc(passkeyChallenges.expiresAt))
      .limit(maxChallenges);
    await tx.delete(passkeyChallenges).where(and(ofPerson, notInArray(passkeyChallenges.challenge, newest)));
  }

  /** Uses the challenge up, whether or not the rest is right. */
  function taken(tx: Tx, { userId }: Person) {
    return async (challenge: string): Promise<boolean> => {
      const [found] = await tx
        .delete(passkeyChallenges)
        .where(
          and(
            eq(passkeyChallenges.userId, userId),
            eq(passkeyChallenges.challenge, challenge),
            gt(passkeyChallenges.expiresAt, clock()),
          ),
        )
        .returning();
      return found !== undefined;
    };
  }

  /** Forgets those that nobody can answer any more. */
  async function sweep(tx: Tx): Promise<void> {
    await tx.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, clock()));
  }

  return { keep, taken, sweep };
}
