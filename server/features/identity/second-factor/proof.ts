import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { SecondFactorMethod } from '#contract/sign-in.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNotNull } from '#server/db/drizzle.ts';
import { companies, recoveryCodes, secondFactors, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { Origin } from '../guesses.ts';
import type { createDevices } from '../sessions/devices.ts';
import type { createPasskeys } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

/** What a person brings beside the password. */
export type Proof = Pick<ParsedInput<'signIn'>, 'code' | 'assertion'>;
export type Factor = typeof secondFactors.$inferSelect;
type User = Pick<typeof users.$inferSelect, 'companyId' | 'id' | 'email'>;

const maxTries = 10;
const pauseSeconds = 900;

/** What a person's secret is sealed for. */
export function sealedFor({ userId, id }: Pick<Factor, 'userId' | 'id'>): string {
  return `totp:${userId}:${id}`;
}

/** The second factors of a person that are in effect. */
export function factorsOf(tx: Tx, userId: string): Promise<Factor[]> {
  return tx
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
    .orderBy(secondFactors.createdAt);
}

/**
 * The same, held until the transaction ends: of two who use or change them at once the second sees what the first has
 * left.
 */
export async function lockedFactors(tx: Tx, userId: string): Promise<Factor[]> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  return factorsOf(tx, userId);
}

/** Whether the company asks everybody for one. */
export async function isRequired(tx: Tx, companyId: string): Promise<boolean> {
  const [company] = await tx
    .select({ required: companies.secondFactorRequired })
    .from(companies)
    .where(eq(companies.id, companyId));
  return company?.required ?? false;
}

/** Asks for the second factor of those who have one, once their password is known to be right. */
export function createProof(deps: {
  db: Database;
  limits: Pick<Limits, 'takeInRow' | 'forget'>;
  devices: Pick<ReturnType<typeof createDevices>, 'idOf'>;
  passkeys: ReturnType<typeof createPasskeys>;
  sealer: Sealer;
  clock: () => Date;
}) {
  const { db, limits, devices, passkeys, sealer, clock } = deps;

  /**
   * @param providerUid of whom the password was right
   * @returns with what it was proved; null: the person has none.
   * @throws AppError `second-factor-required` with what it takes; `invalid-second-factor`; `too-many-requests` after 10
   * wrong ones in a row, for a quarter of an hour: in browsers that the account's owner has used, each by itself, so
   * that nobody keeps the owner out
   */
  return async (providerUid: string, proof: Proof, from: Origin): Promise<SecondFactorMethod | null> => {
    const [user] = await db.asSystem((tx) => tx.select().from(users).where(eq(users.providerUid, providerUid)));
    const factors = user ? await db.asSystem((tx) => factorsOf(tx, user.id)) : [];
    if (!user || factors.length === 0) return null;
    const person = { companyId: user.companyId, userId: user.id };
    const { code, assertion } = proof;
    if (code === undefined && assertion === undefined) throw await required(person, factors);
    const device = devices.idOf(user.email, from.device);
    const tries = device === null ? `second-factor:${user.id}` : `second-factor:device:${device}`;
    await limits.takeInRow(tries, maxTries, pauseSeconds);
    const method = await db.asSystem((tx) => check(tx, user, proof));
    if (method === null) {
      await db.asSystem((tx) => noteFailure(tx, user, from));
      throw new AppError('invalid-second-factor');
    }
    await limits.forget(tries);
    return method;
  };

  async function required(person: { companyId: string; userId: string }, factors: readonly Factor[]) {
    const options = await db.asSystem((tx) => passkeys.assertionOptions(tx, person, factors));
    const kinds = [...new Set(factors.map(({ kind }) => kind))];
    const details = { reason: 'second-factor-required', methods: [...kinds, 'recovery-code'] };
    return new AppError('second-factor-required', { details: { ...details, ...(options && { options }) } });
  }

  /** With what it is proved; null: with nothing. What is used once is used up, also where the rest is wrong. */
  async function check(tx: Tx, user: User, { code, assertion }: Proof): Promise<SecondFactorMethod | null> {
    const factors = await lockedFactors(tx, user.id);
    const at = clock();
    if (assertion !== undefined) {
      const person = { companyId: user.companyId, userId: user.id };
      const asserted = await passkeys.asserted(tx, person, assertion, factors);
      if (!asserted) return null;
      const { factorId, counter } = asserted;
      await tx.update(secondFactors).set({ counter, lastUsedAt: at }).where(eq(secondFactors.id, factorId));
      return 'passkey';
    }
    const digits = (code ?? '').replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return (await spendRecoveryCode(tx, user, digits)) ? 'recovery-code' : null;
    for (const factor of factors) {
      if (factor.sealedSecret === null) continue;
      const secret = await sealer.open(factor.sealedSecret, sealedFor(factor));
      const step = totpStep(secret, digits, { at, after: factor.lastStep });
      if (step === null) continue;
      await tx.update(secondFactors).set({ lastStep: step, lastUsedAt: at }).where(eq(secondFactors.id, factor.id));
      return 'totp';
    }
    return null;
  }

  async function noteFailure(tx: Tx, { companyId, email }: User, { ip }: Origin): Promise<void> {
    const by = { companyId, ip };
    await audit(tx, { action: 'second-factor-failed', by, target: email, at: clock(), via: 'password' });
  }
}

async function spendRecoveryCode(tx: Tx, { id: userId }: User, code: string): Promise<boolean> {
  const codeHash = recoveryCodeHash(userId, code);
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0;
}
