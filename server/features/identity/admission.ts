import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { SignInMethod } from '#contract/sign-in.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Database } from '#server/db/db.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Grant, IdentityProvider } from '#server/ports/identity/port.ts';
import type { createGuesses, Origin } from './guesses.ts';
import type { createSecondFactor } from './second-factor/second-factor.ts';
import type { Providers } from './single-sign-on/companies.ts';

interface AdmissionDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  guesses: Pick<ReturnType<typeof createGuesses>, 'count'>;
  secondFactor: Pick<ReturnType<typeof createSecondFactor>, 'prove'>;
  /** Whether a person's company lets nobody in by a password. */
  providers: Pick<Providers, 'isRequiredOf'>;
  clock: () => Date;
}

/** Whether somebody is who they say. */
export function createAdmission(deps: AdmissionDeps) {
  const { db, provider, jobs, guesses, secondFactor, providers, clock } = deps;
  /**
   * The grant for a password, and for the second factor of whoever has one: without it nobody sees a grant.
   * @throws AppError as `proved`, `second-factor-required`, `invalid-second-factor`
   */
  async function admitted(
    { email, password, ...proof }: ParsedInput<'signIn'>,
    from: Origin,
  ): Promise<{ grant: Grant; methods: SignInMethod[] }> {
    const grant = await proved(email, password, from);
    try {
      const second = await secondFactor.prove(grant.uid, proof, from);
      return { grant, methods: second === null ? ['password'] : ['password', second] };
    } catch (error) {
      await provider.endSession(grant.refreshToken.value);
      throw error;
    }
  }

  /**
   * The provider's grant for a password.
   * @throws AppError `invalid-credentials`, `single-sign-on-required`, `too-many-requests`
   */
  async function proved(email: string, password: string, from: Origin): Promise<Grant> {
    const wasRight = await guesses.count(email, from);
    const grant = await provider.signIn(email, password, addressKey(from.ip)).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid-credentials') {
        const failed = { email, ip: from.ip, at: clock().toISOString() };
        await db.asSystem((tx) => jobs.enqueue(tx, 'note-failed-sign-in', failed));
      }
      throw error;
    });
    await wasRight();
    // Only told to who knows the password, or it would tell of an e-mail.
    if (await providers.isRequiredOf(grant.uid)) {
      await provider.endSession(grant.refreshToken.value);
      throw new AppError('single-sign-on-required');
    }
    return grant;
  }

  return { proved, admitted };
}
