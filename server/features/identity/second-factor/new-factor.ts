import { randomUUID } from 'node:crypto';
import type { ParsedInput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, gt, isNotNull, isNull, ne } from '#server/db/drizzle.ts';
import { secondFactors } from '#server/db/schema.ts';
import type { Sealer } from '#server/lib/sealed.ts';
import type { Passkeys } from './passkeys.ts';
import { sealedFor } from './proof.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

/** So long a factor that was begun can be put into effect. */
const begunMs = 30 * 60_000;
const maxPasskeys = 10;

interface NewFactorDeps {
  passkeys: Passkeys;
  sealer: Sealer;
  config: Pick<Config, 'branding'>;
  clock: () => Date;
}

/** The factors of the two kinds, from what a person is shown to what is kept. */
export function createNewFactor({ passkeys, sealer, config, clock }: NewFactorDeps) {
  async function beginTotp(
    db: Database,
    { companyId, userId, email }: Actor,
  ): Promise<{ secret: string; uri: string }> {
    const secret = newTotpSecret();
    const id = randomUUID();
    const sealedSecret = await sealer.seal(secret, sealedFor({ userId, id }));
    await db.asCompany(companyId, async (tx) => {
      await tx.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)));
      const name = 'Authenticator app';
      await tx
        .insert(secondFactors)
        .values({ companyId, userId, id, kind: 'totp', name, sealedSecret, createdAt: clock() });
    });
    return { secret, uri: totpUri(secret, { issuer: config.branding.name, label: email }) };
  }

  async function addTotp(tx: Tx, { userId }: Actor, code = ''): Promise<'totp' | null> {
    const at = clock();
    const [begun] = await tx
      .select()
      .from(secondFactors)
      .where(
        and(
          eq(secondFactors.userId, userId),
          isNull(secondFactors.confirmedAt),
          gt(secondFactors.createdAt, new Date(at.getTime() - begunMs)),
        ),
      )
      .for('update');
    if (!begun || begun.sealedSecret === null) return null;
    const secret = await sealer.open(begun.sealedSecret, sealedFor(begun));
    const lastStep = totpStep(secret, code.replaceAll(/\s/g, ''), { at, after: 0 });
    if (lastStep === null) return null;
    // A new telephone takes the place of the old one.
    const others = and(
      eq(secondFactors.userId, userId),
      eq(secondFactors.kind, 'totp'),
      ne(secondFactors.id, begun.id),
    );
    await tx.delete(secondFactors).where(others);
    await tx.update(secondFactors).set({ confirmedAt: at, lastStep }).where(eq(secondFactors.id, begun.id));
    return 'totp';
  }

  async function addPasskey(
    tx: Tx,
    { companyId, userId }: Actor,
    attestation: NonNullable<ParsedInput<'confirmSecondFactor'>['attestation']>,
    name = '',
  ): Promise<'passkey' | null> {
    const registered = await passkeys.registered(tx, { companyId, userId }, attestation);
    if (!registered) return null;
    const ofPerson = and(
      eq(secondFactors.userId, userId),
      eq(secondFactors.kind, 'passkey'),
      isNotNull(secondFactors.confirmedAt),
    );
    const count = await tx.$count(secondFactors, ofPerson);
    if (count >= maxPasskeys) return null;
    const at = clock();
    const row = { companyId, userId, id: randomUUID(), kind: 'passkey' as const, createdAt: at, confirmedAt: at };
    const added = await tx
      .insert(secondFactors)
      .values({ ...row, name: name === '' ? `Passkey ${count + 1}` : name, ...registered })
      .onConflictDoNothing()
      .returning({ id: secondFactors.id });
    return added.length > 0 ? 'passkey' : null;
  }

  return { beginTotp, addTotp, addPasskey };
}
