import type { CallOutput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { recoveryCodes } from '#server/db/schema.ts';
import { methodsOf } from '../sessions/session-records.ts';
import type { Passkeys } from './passkeys.ts';
import { factorsOf, isRequired } from './proof.ts';

interface StandingDeps {
  passkeys: Pick<Passkeys, 'arePossible'>;
  /** Whether people have second factors here at all. */
  isPossible: boolean;
}

/** What a person has of second factors, and what their company asks of them. */
export function createStanding({ passkeys, isPossible }: StandingDeps) {
  return {
    /** What the account's page shows of it. */
    async told(tx: Tx, { companyId, userId }: Actor): Promise<CallOutput<'getAccountSecurity'>['secondFactor']> {
      const factors = await factorsOf(tx, userId);
      return {
        isPossible,
        passkeysPossible: isPossible && passkeys.arePossible,
        isRequired: isPossible && (await isRequired(tx, companyId)),
        factors: factors.map(({ id, kind, name, createdAt, lastUsedAt }) => ({
          id,
          kind,
          name,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString(),
        })),
        recoveryCodesLeft: await tx.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
      };
    },

    /** Whether a person can do nothing but set one up. */
    mustEnrol: async (tx: Tx, { companyId, userId, sessionId = '' }: Actor): Promise<boolean> =>
      isPossible &&
      (await isRequired(tx, companyId)) &&
      (await factorsOf(tx, userId)).length === 0 &&
      // What else the company's own provider asks for is the company's to say there.
      !(await methodsOf(tx, { companyId, userId, sessionId })).includes('single-sign-on'),
  };
}
