import { z } from 'zod';
import { auditActions, auditVias } from '../audit.ts';
import { defineCall } from '../call.ts';

/** Days of the company's time zone, both counted; without them, all that the plan shows. */
const wanted = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  action: z.enum(auditActions).optional(),
  /** Who did it. */
  userId: z.uuid().optional(),
  /** In the e-mail, the address, what it was done to, or the details; capitals don't matter. */
  text: z.string().trim().min(1).max(80).optional(),
};

export const auditEvent = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.enum(auditActions),
  /** Absent where nobody was signed in. */
  userId: z.uuid().optional(),
  /** Of who did it, as it was then. */
  email: z.string().optional(),
  /** By what means; absent for events from before that was written down. */
  via: z.enum(auditVias).optional(),
  /** From where: an IP address. */
  address: z.string().optional(),
  /** What it was done to, and how, in a line; empty where there is no more to say than the action. */
  about: z.string(),
  /** The same as it is stored: an e-mail, the name of a file. */
  target: z.string().optional(),
  details: z.record(z.string(), z.unknown()),
});

export const getAuditLog = defineCall({
  summary:
    'Who did what, when, from where and by what means, newest first: the last 30 days on every plan, with the audit log as far as it is kept.',
  input: z.object({ ...wanted, cursor: z.string().max(200).optional() }).strict(),
  output: z.object({
    /** 50 at most. A search that has looked through very many answers with what it has found so far. */
    events: z.array(auditEvent),
    /** Where the list goes on. */
    next: z.string().optional(),
    /** There are events from before this moment, which the plan does not show. */
    lockedBefore: z.iso.datetime().optional(),
  }),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const exportAuditLog = defineCall({
  summary:
    'A link, good for ten minutes and for as long as the caller stays an admin and signed in, to the same events as a file: all of them, newest first.',
  input: z.object({ ...wanted, format: z.enum(['csv', 'ndjson']) }).strict(),
  output: z.object({ url: z.string() }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'audit-exported',
});
