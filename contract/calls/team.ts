import { z } from 'zod';
import { defineCall } from '../call.ts';
import { roles } from '../permissions.ts';

/** As it is stored: without spaces around, in small letters. */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
const role = z.enum(roles);
const uid = z.uuid();
/** Words to show. */
const message = z.object({ message: z.string() });

export const listUsers = defineCall({
  summary: 'Everyone in the company, invited people among them.',
  input: z.null().or(z.object({}).strict()),
  output: z.array(
    z.object({
      uid,
      email: z.string(),
      role,
      state: z.enum(['active', 'invited', 'expired']),
      invitedAt: z.iso.datetime().optional(),
      invitationExpiresAt: z.iso.datetime().optional(),
      /** Of an active person. */
      hasSecondFactor: z.boolean().optional(),
      /** Only with the feature team-management. */
      lastSignInAt: z.iso.datetime().optional(),
    }),
  ),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const inviteUser = defineCall({
  summary: 'Invites a person into the company; one who is already invited gets a fresh link.',
  input: z
    .object({
      email,
      /** The caller's own company. */
      companyId: z.uuid(),
      /**
       * Another than member needs the feature team-management. Absent: member, or for one who is already invited the
       * role of that invitation.
       */
      role: role.optional(),
    })
    .strict(),
  output: message,
  access: 'admin',
  scope: null,
  feature: 'invite',
  idempotent: false,
  audit: 'invitation-sent',
  alsoAsData: true,
});

export const inviteUsers = defineCall({
  summary: 'Invites many people at once, each one for itself: one that is refused does not hold up the others.',
  input: z.object({ emails: z.array(z.string().trim().max(254)).min(1).max(500), role: role.optional() }).strict(),
  output: z.object({
    results: z.array(z.object({ email: z.string(), invited: z.boolean(), message: z.string() })),
  }),
  access: 'admin',
  scope: null,
  feature: 'team-management',
  idempotent: false,
  audit: 'invitation-sent',
});

export const resendInvitation = defineCall({
  summary: 'Sends an invited person a fresh link; the earlier one ends.',
  input: z.object({ uid }).strict(),
  output: message,
  access: 'admin',
  scope: null,
  feature: 'invite',
  idempotent: false,
  audit: 'invitation-sent',
});

export const withdrawInvitation = defineCall({
  summary: 'Withdraws an invitation; its link ends and its seat is free.',
  input: z.object({ uid }).strict(),
  output: message,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'invitation-withdrawn',
});

export const deleteUser = defineCall({
  summary: 'Removes a person from the company; their sessions end at once. Asks for a recent sign-in.',
  input: z.object({ userIdToDelete: uid }).strict(),
  output: message,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'person-removed',
  alsoAsData: true,
});

export const setUserRole = defineCall({
  summary: 'Makes a person an admin or a member; their tokens of before end at once. Asks for a recent sign-in.',
  input: z.object({ uid, role }).strict(),
  output: message,
  access: 'admin',
  scope: null,
  feature: 'team-management',
  idempotent: false,
  audit: 'role-changed',
});
