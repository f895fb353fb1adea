import type { Entitlements } from '#contract/entitlements.ts';
import type { Role } from '#contract/permissions.ts';

/** Who is calling: what the transport makes of a valid bearer before any handler runs. */
export interface Actor {
  userId: string;
  email: string;
  companyId: string;
  role: Role;
  /** When the person last proved who they are. */
  authenticatedAt: Date;
  /** The session of the bearer; absent where it names none. */
  sessionId?: string | undefined;
  entitlements: Entitlements;
  /** When the person's company ends, where that was asked for: it is closed until then. */
  companyEndsAt?: Date | null;
}

/**
 * Makes an actor of a bearer.
 * @param options.enrolling for the few calls that are open to those who have yet to set up the second factor that their
 * company asks for
 * @throws AppError of status UNAUTHENTICATED when the bearer is not valid (any more); `second-factor-missing`
 */
export type Authenticate = (bearer: string, options?: { enrolling?: boolean }) => Promise<Actor>;
