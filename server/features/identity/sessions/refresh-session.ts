import { AppError } from '#contract/errors.ts';
import type { IdentityProvider, RefreshToken } from '#server/ports/identity/port.ts';
import type { Place } from './session-records.ts';
import type { createSessions, SignedIn } from './sessions.ts';

/** Goes on with a session. */
export function createRefreshSession({
  provider,
  sessionOf,
}: {
  provider: Pick<IdentityProvider, 'refresh'>;
  sessionOf: ReturnType<typeof createSessions>['sessionOf'];
}) {
  /**
   * @param kept told of the next refresh token as soon as there is one: who is refused for where they are goes on with
   * it elsewhere
   * @throws AppError `session-expired` when there is no session (any more); `address-not-allowed`
   */
  return async (
    refreshToken: string | undefined,
    { ip, agent }: Place,
    kept: (next: RefreshToken) => void = () => {},
  ): Promise<SignedIn> => {
    const grant = refreshToken === undefined ? null : await provider.refresh(refreshToken);
    if (grant) kept(grant.refreshToken);
    const signedIn = grant && (await sessionOf(grant, { ip, agent }));
    if (!signedIn) throw new AppError('session-expired');
    return signedIn;
  };
}
