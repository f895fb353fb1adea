import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { removeIfLeftOver } from './leftovers.ts';

/** A person by our own id, in their company. */
export interface PersonKey {
  companyId: string;
  uid: string;
}

interface ProviderAccountDeps {
  db: Database;
  provider: IdentityProvider;
  clock?: () => Date;
}

/** The account of a person at the identity provider. */
export function createProviderAccount({ db, provider, clock = () => new Date() }: ProviderAccountDeps) {
  /** @returns its id, made now where the provider has none */
  return async function knownToProvider({
    companyId,
    id,
    email,
    providerUid,
  }: typeof users.$inferSelect): Promise<string> {
    const person = { companyId, uid: id };
    const made = providerUid ?? (await create(id, email));
    if (providerUid === null) {
      const changes = { providerUid: made, claimsDue: true };
      const [known] = await db.asSystem((tx) => tx.update(users).set(changes).where(isPerson(person)).returning());
      if (!known) {
        // Withdrawn meanwhile, before there was an account to remove.
        if (made === id) await provider.deleteUser(made);
        throw new AppError('user-not-found');
      }
    }
    await settleClaims({ db, provider, clock }, person);
    return made;
  };

  /**
   * Creates the account, or finds the one that is there: of an earlier try, or one that the provider has had before.
   */
  async function create(uid: string, email: string): Promise<string> {
    try {
      return (await provider.createUser({ uid, email })).uid;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'email-already-in-use') throw error;
      const found = await provider.findUser(email);
      if (found?.uid === uid) return uid;
      // Of a person who was removed: a new account, so that the old password is not worth anything.
      const leftover = found && (await removeIfLeftOver({ db, provider }, found.uid, clock()));
      if (leftover === 'not yet') throw error;
      // Asked again: a job may have removed it a moment ago.
      const there = await provider.findUser(email);
      return there ? there.uid : (await provider.createUser({ uid, email })).uid;
    }
  }
}

/**
 * Tells the provider of role and company where that is still due. Idempotent; a person who is gone is fine.
 * @returns whether there was something to tell.
 */
export async function settleClaims(
  { db, provider, clock = () => new Date() }: ProviderAccountDeps,
  person: PersonKey,
): Promise<boolean> {
  // Under the row's lock: of two changes at once the provider must not be told the earlier one last.
  return db.asSystem(async (tx) => {
    const [user] = await tx.select().from(users).where(isPerson(person)).for('update');
    if (!user?.claimsDue || user.providerUid === null) return false;
    await provider.setClaims(user.providerUid, { role: user.role, companyId: user.companyId }, tx);
    await tx.update(users).set({ claimsDue: false, claimsToldAt: clock() }).where(isPerson(person));
    return true;
  });
}

/** Of rows of users: this person. */
export function isPerson({ companyId, uid }: PersonKey) {
  return and(eq(users.companyId, companyId), eq(users.id, uid));
}
