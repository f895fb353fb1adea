import type { Database } from '#server/db/db.ts';
import { eq, lte } from '#server/db/drizzle.ts';
import { identityLeftovers, users } from '#server/db/schema.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';

interface Deps {
  db: Database;
  provider: IdentityProvider;
}

/**
 * Removes an account that belongs to nobody from the provider, when it is due.
 * @returns `not yet`: a sign-up is still at it; `none`: the account is no leftover of ours.
 */
export async function removeIfLeftOver(
  { db, provider }: Deps,
  uid: string,
  now: Date,
): Promise<'removed' | 'not yet' | 'none'> {
  return db.asSystem(async (tx) => {
    // Locked until the account is gone, so that a sign-up that ends after all does not end with an account removed.
    const [leftover] = await tx.select().from(identityLeftovers).where(eq(identityLeftovers.uid, uid)).for('update');
    if (!leftover) return 'none';
    if (leftover.dueAt > now) return 'not yet';
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.providerUid, uid));
    if (!user) await provider.deleteUser(uid, tx);
    await tx.delete(identityLeftovers).where(eq(identityLeftovers.uid, uid));
    return user ? 'none' : 'removed';
  });
}

/** The job `clear-identities`: removes every account that is due; what fails is tried again. */
export async function clearLeftovers(deps: Deps, now: Date): Promise<void> {
  const due = await deps.db.asSystem((tx) =>
    tx.select({ uid: identityLeftovers.uid }).from(identityLeftovers).where(lte(identityLeftovers.dueAt, now)),
  );
  await eachByItself(due, async ({ uid }) => {
    await removeIfLeftOver(deps, uid, now);
  });
}
