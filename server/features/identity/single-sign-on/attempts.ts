import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { Sealer } from '#server/lib/sealed.ts';

const lifetimeMs = 10 * 60_000;
const context = 'single-sign-on attempt';

const attempt = z.object({
  purpose: z.enum(['sign-in', 'confirm', 'test']),
  companyId: z.uuid(),
  /** Of `confirm` and `test`: who has begun it. */
  userId: z.uuid().nullable(),
  issuer: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  challenge: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  expiresAt: z.number(),
});

/** One way to a provider and back, as the browser keeps it: sealed, since what is in it is secret until then. */
export type Attempt = z.output<typeof attempt>;

/** What a browser keeps of a sign-in that it has begun, sealed: none of it can be read or changed there. */
export function createAttempts({ sealer, clock }: { sealer: Sealer; clock: () => Date }) {
  return {
    async keep(begun: Omit<Attempt, 'expiresAt'>): Promise<{ value: string; expiresAt: Date }> {
      const expiresAt = new Date(clock().getTime() + lifetimeMs);
      const value = await sealer.seal(JSON.stringify({ ...begun, expiresAt: expiresAt.getTime() }), context);
      return { value, expiresAt };
    },

    /** @throws AppError `single-sign-on-expired` for one of another browser, too old, or none */
    async read(kept: string | undefined): Promise<Attempt> {
      const expired = (cause?: unknown) => new AppError('single-sign-on-expired', { cause });
      if (kept === undefined) throw expired();
      const found = await sealer.open(kept, context).then(
        (text) => attempt.parse(JSON.parse(text)),
        (cause: unknown) => {
          throw expired(cause);
        },
      );
      if (found.expiresAt <= clock().getTime()) throw expired();
      return found;
    },
  };
}
