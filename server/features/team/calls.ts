import { AppError } from '#contract/errors.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Team } from './team.ts';

export function teamCalls(team: Team) {
  return {
    listUsers: (_, { actor }) => team.list(actor),
    inviteUser: async ({ companyId, ...invitee }, { actor, ip }) => {
      if (companyId !== actor.companyId) throw new AppError('permission-denied');
      return team.invite({ ...actor, ip }, invitee);
    },
    inviteUsers: (input, { actor, ip, signal }) => team.inviteMany({ ...actor, ip }, { ...input, signal }),
    resendInvitation: ({ uid }, { actor, ip }) => team.resend({ ...actor, ip }, uid),
    withdrawInvitation: ({ uid }, { actor, ip }) => team.withdraw({ ...actor, ip }, uid),
    deleteUser: ({ userIdToDelete }, { actor, ip }) => team.remove({ ...actor, ip }, userIdToDelete),
    setUserRole: ({ uid, role }, { actor, ip }) => team.setRole({ ...actor, ip }, uid, role),
  } satisfies Partial<Handlers>;
}
