import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { recoveryCodes, secondFactors, sessions } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import type { createDevices } from '../sessions/devices.ts';
import type { createSessionList } from '../sessions/session-list.ts';
import { createNewFactor } from './new-factor.ts';
import { createPasskeys } from './passkeys.ts';
import { createProof, factorsOf, isRequired, lockedFactors } from './proof.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { createStanding } from './standing.ts';

const maxTries = 10;

type By = Actor & { ip: string };

export interface SecondFactorDeps {
  db: Database;
  provider: IdentityProvider;
  limits: Limits;
  devices: Pick<ReturnType<typeof createDevices>, 'idOf'>;
  sessionList: Pick<ReturnType<typeof createSessionList>, 'closeOthers'>;
  sealer: Sealer;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl' | 'branding' | 'brandHosts'>;
  clock: () => Date;
}

/** What people prove who they are with beside their password. */
export function createSecondFactor(deps: SecondFactorDeps) {
  const { db, provider, limits, sendMail, config, clock, sessionList } = deps;
  const passkeys = createPasskeys(config, clock);
  /** Elsewhere people could sign in past it. */
  const isPossible = provider.claimsAreOurs;
  const newFactor = createNewFactor({ ...deps, passkeys });
  const prove = createProof({ ...deps, passkeys });
  const recent = (by: Actor) => requireRecentSignIn(by, undefined, clock().getTime());

  return {
    prove: isPossible ? prove : async () => null,

    /** @throws AppError `second-factor-elsewhere`, `passkeys-not-possible`, `recent-sign-in-required` */
    async begin(by: Actor, { method }: ParsedInput<'beginSecondFactor'>): Promise<CallOutput<'beginSecondFactor'>> {
      if (!isPossible) throw new AppError('second-factor-elsewhere');
      if (method === 'passkey' && !passkeys.arePossible) throw new AppError('passkeys-not-possible');
      recent(by);
      const { companyId, userId, email } = by;
      if (method === 'passkey')
        return db.asCompany(companyId, async (tx) => ({
          options: await passkeys.registrationOptions(tx, { companyId, userId, email }, await factorsOf(tx, userId)),
        }));
      return newFactor.beginTotp(db, by);
    },

    /**
     * Puts what was begun into effect. The first one ends all other sessions.
     * @throws AppError `invalid-second-factor`, `too-many-requests`, `recent-sign-in-required`
     */
    async confirm(by: By, input: ParsedInput<'confirmSecondFactor'>): Promise<CallOutput<'confirmSecondFactor'>> {
      if (!isPossible) throw new AppError('second-factor-elsewhere');
      recent(by);
      const { companyId, userId } = by;
      const tries = `second-factor-set-up:${userId}`;
      await limits.takeInRow(tries, maxTries, 900);
      const made = await db.asCompany(companyId, async (tx) => {
        const before = await lockedFactors(tx, userId);
        const kind = await (input.attestation
          ? newFactor.addPasskey(tx, by, input.attestation, input.name)
          : newFactor.addTotp(tx, by, input.code));
        if (kind === null) return null;
        const isFirst = before.length === 0;
        const codes = isFirst ? await replaceRecoveryCodes(tx, by) : [];
        if (isFirst && by.sessionId !== undefined)
          await tx
            .update(sessions)
            .set({ methods: ['password', kind] })
            .where(and(eq(sessions.userId, userId), eq(sessions.id, by.sessionId)));
        await audit(tx, { action: 'second-factor-added', by, details: { kind }, at: clock() });
        await tell(tx, by, 'added');
        return { codes, isFirst };
      });
      if (!made) throw new AppError('invalid-second-factor');
      await limits.forget(tries);
      if (made.isFirst) await sessionList.closeOthers(by);
      return { recoveryCodes: made.codes };
    },

    /** @throws AppError `second-factor-not-found`, `second-factor-kept`, `recent-sign-in-required` */
    async remove(by: By, id: string | undefined): Promise<void> {
      recent(by);
      const { companyId, userId } = by;
      await db.asCompany(companyId, async (tx) => {
        const factors = await lockedFactors(tx, userId);
        const going = factors.filter((factor) => id === undefined || factor.id === id);
        if (going.length === 0) throw new AppError('second-factor-not-found');
        const isLast = going.length === factors.length;
        if (isLast && (await isRequired(tx, companyId))) throw new AppError('second-factor-kept');
        for (const factor of going) await tx.delete(secondFactors).where(eq(secondFactors.id, factor.id));
        if (isLast) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
        const kind = going.map((factor) => factor.kind);
        await audit(tx, { action: 'second-factor-removed', by, details: { kind }, at: clock() });
        await tell(tx, by, 'removed');
      });
    },

    /** @throws AppError `second-factor-not-found`, `recent-sign-in-required` */
    async renewRecoveryCodes(by: By): Promise<CallOutput<'renewRecoveryCodes'>> {
      recent(by);
      return db.asCompany(by.companyId, async (tx) => {
        if ((await lockedFactors(tx, by.userId)).length === 0) throw new AppError('second-factor-not-found');
        await audit(tx, { action: 'recovery-codes-renewed', by, at: clock() });
        return { recoveryCodes: await replaceRecoveryCodes(tx, by) };
      });
    },

    ...createStanding({ passkeys, isPossible }),

    /** Forgets what browsers were asked and have not answered. */
    sweep: (): Promise<void> => db.asSystem((tx) => passkeys.sweep(tx)),
  };

  async function tell(tx: Tx, { companyId, email: to }: Actor, what: 'added' | 'removed'): Promise<void> {
    const url = `${config.publicUrl}/account/security`;
    await sendMail(tx, { to, companyId, words: (texts, name) => texts.secondFactorChanged(name, { what, url }) });
  }
}
