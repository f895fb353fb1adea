import type { Database, Tx } from '#server/db/db.ts';
import { eq, isNotNull, sql } from '#server/db/drizzle.ts';
import { secondFactors, singleSignOns, webhooks } from '#server/db/schema.ts';
import { webhookSealedFor } from '#server/features/webhooks/secret.ts';
import { CannotOpen, type KeyPlace, openSealer, renewKeyFile, type Sealer } from '#server/lib/sealed.ts';
import { sealedFor } from './second-factor/proof.ts';
import { secretSealedFor } from './single-sign-on/companies.ts';

/** What became of what is sealed in the database. */
export interface Resealed {
  /** Sealed with the newest key now. */
  sealed: number;
  /** Sealed with a key that is not here, and left as it was. */
  closed: number;
}

/**
 * Seals everything with a new key: one that is made in the file below `dataDir`, or the operator's of now where they
 * set it. May be broken off and begun again, and may run while the service does.
 */
export async function rotateSealing(db: Database, place: KeyPlace): Promise<Resealed> {
  return db.asSystem(async (tx) => {
    // Of two at once the second would take away a key that the first has not sealed everything anew of.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sealed-secrets'))`);
    if (place.secretKey !== undefined) return reseal(tx, await openSealer(place));
    // What an earlier run has not come to is sealed with the key that goes with the next change.
    const before = await reseal(tx, await openSealer(place));
    if (before.closed > 0) return before;
    await renewKeyFile(place.dataDir);
    return reseal(tx, await openSealer(place));
  });
}

/** How much is sealed in the database, and how much of it no key that is here opens. */
export async function countSealed(tx: Tx, sealer: Sealer): Promise<{ all: number; closed: number }> {
  const all = await sealedIn(tx);
  let closed = 0;
  for (const { sealed, context } of all) if ((await opened(sealer, sealed, context)) === null) closed += 1;
  return { all: all.length, closed };
}

async function reseal(tx: Tx, sealer: Sealer): Promise<Resealed> {
  const done: Resealed = { sealed: 0, closed: 0 };
  // A secret that is changed meanwhile would be written over by the one before.
  for (const table of [singleSignOns, secondFactors, webhooks])
    await tx.select({ row: sql`1` }).from(table).for('update');
  for (const { sealed, context, replace } of await sealedIn(tx)) {
    const text = await opened(sealer, sealed, context);
    if (text === null) done.closed += 1;
    else {
      await replace(await sealer.seal(text, context));
      done.sealed += 1;
    }
  }
  return done;
}

interface Sealed {
  sealed: string;
  context: string;
  replace(anew: string): Promise<unknown>;
}

async function sealedIn(tx: Tx): Promise<Sealed[]> {
  const secrets = await tx.select().from(singleSignOns);
  const factors = await tx.select().from(secondFactors).where(isNotNull(secondFactors.sealedSecret));
  const hooks = await tx.select().from(webhooks);
  return [
    ...secrets.map(({ companyId, sealedSecret }) => ({
      sealed: sealedSecret,
      context: secretSealedFor(companyId),
      replace: (anew: string) =>
        tx.update(singleSignOns).set({ sealedSecret: anew }).where(eq(singleSignOns.companyId, companyId)),
    })),
    ...factors.map((factor) => ({
      sealed: factor.sealedSecret ?? '',
      context: sealedFor(factor),
      replace: (anew: string) =>
        tx.update(secondFactors).set({ sealedSecret: anew }).where(eq(secondFactors.id, factor.id)),
    })),
    ...hooks.flatMap((hook) => {
      const { sealedSecret, sealedSecretBefore } = hook;
      const context = webhookSealedFor(hook);
      const put = (set: Partial<typeof hook>) => tx.update(webhooks).set(set).where(eq(webhooks.id, hook.id));
      const now = { sealed: sealedSecret, context, replace: (anew: string) => put({ sealedSecret: anew }) };
      if (sealedSecretBefore === null) return [now];
      const replace = (anew: string) => put({ sealedSecretBefore: anew });
      return [now, { sealed: sealedSecretBefore, context, replace }];
    }),
  ];
}

async function opened(sealer: Sealer, sealed: string, context: string): Promise<string | null> {
  try {
    return await sealer.open(sealed, context);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}
