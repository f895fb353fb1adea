import { AppError } from '#contract/errors.ts';
import type { SignInMethod } from '#contract/sign-in.ts';
import { type AllowedRanges, mayComeFrom, requireAddressIn } from '#server/calls/allowed-addresses.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import { type AuditEvent, audit } from '#server/features/audit/audit.ts';
import type { Grant, IdentityProvider } from '#server/ports/identity/port.ts';
import type { Place } from './session-records.ts';

/** Keeps those out of a session who come from an address that is not on their company's list. */
export function createInside(deps: {
  db: Database;
  provider: Pick<IdentityProvider, 'endSession'>;
  clock: () => Date;
}) {
  const { db, provider, clock } = deps;

  /**
   * Asked before anything is written down of the person: who is outside has not come in.
   * @param from with `methods` the session begins there, and ends again; without, it goes on, maybe elsewhere
   * @throws AppError `address-not-allowed`
   */
  return async (
    { uid, refreshToken }: Grant,
    { ip, methods }: Place & { methods?: SignInMethod[] | undefined },
  ): Promise<void> => {
    const [person] = await db.asSystem((tx) =>
      tx
        .select({ user: users, ranges: companies.allowedAddresses })
        .from(users)
        .innerJoin(companies, eq(companies.id, users.companyId))
        .where(eq(users.providerUid, uid)),
    );
    if (!person) return;
    const { user, ranges } = person;
    if (!methods) return requireAddressIn(ranges, ip);
    const by = { companyId: user.companyId, userId: user.id, email: user.email };
    try {
      await requireInside(db, ranges, { by, ip, at: clock(), via: viaOf(methods) });
    } catch (error) {
      await provider.endSession(refreshToken.value);
      throw error;
    }
  };
}

/**
 * Keeps out whoever has proved who they are, but comes from an address that is not on the company's list. The log tells
 * of it: a password may be in wrong hands.
 * @throws AppError `address-not-allowed`
 */
export async function requireInside(
  db: Database,
  ranges: AllowedRanges,
  { ip, ...who }: Omit<AuditEvent, 'action'> & { ip: string },
): Promise<void> {
  if (mayComeFrom(ranges, ip)) return;
  await db.asSystem((tx) => audit(tx, { action: 'sign-in-refused', ...who, by: { ...who.by, ip } }));
  throw new AppError('address-not-allowed');
}

/** By what a session has begun, as the audit log says it. */
export function viaOf(methods: SignInMethod[]): 'single-sign-on' | 'password' {
  return methods.includes('single-sign-on') ? 'single-sign-on' : 'password';
}
