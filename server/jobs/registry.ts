import { z } from 'zod';

const none = z.object({});
const ofCompany = z.object({ companyId: z.uuid() });
const ofVersion = ofCompany.extend({ documentId: z.uuid(), version: z.number().int(), attempt: z.number().int() });

/** Every job by its name with the data it carries. A job is enqueued inside the business transaction that wants it. */
export const jobs = {
  /** Reads a version: parse, chunk, index, and make it current. */
  'ingest-version': ofVersion,
  /** The same for one that takes minutes, beside the others. */
  'ingest-long-version': ofVersion,
  /** Gives vectors to the passages of a version that answers. */
  'embed-version': ofCompany.extend({ documentId: z.uuid(), version: z.number().int() }),
  /** Has vectors made for passages that were read while no embedding model, or another, was configured. */
  'embed-left-out': none,
  /** Looks for planted orders in documents that were read before anybody looked for them. */
  'look-for-orders': none,
  /** Removes what is left of a deleted document: search rows, bytes, rows. */
  'erase-document': ofCompany.extend({ documentId: z.uuid() }),
  /** Removes the bytes of an upload that a deletion has ended. */
  'erase-upload': ofCompany.extend({ uploadId: z.string() }),
  /** Rewrites a company's search table without what was deleted. */
  'erase-search': ofCompany,
  /** Has the search table say in which collection documents are, as the database says. */
  'move-in-search': ofCompany.extend({ documentIds: z.array(z.uuid()) }),
  /** Folds added rows into a company's search index. */
  'optimize-search': ofCompany,
  /** Removes accounts that belong to nobody from the identity provider. */
  'clear-identities': none,
  /** Tells the identity provider of a person's new role. */
  'settle-claims': ofCompany.extend({ userId: z.uuid() }),
  /** Mails a link that sets a new password, to an e-mail that is known. */
  'mail-password-reset': z.object({ email: z.string(), ip: z.string().optional() }),
  /** Mails the link that confirms an address, unless it is confirmed. */
  'mail-confirmation': ofCompany.extend({ userId: z.uuid() }),
  /** Ends accounts that nobody has confirmed or paid for in time. */
  'end-unconfirmed': none,
  /** Removes what is left of a company that has ended: bytes, search rows, open payment pages. */
  'erase-company': ofCompany.extend({ customerId: z.string().optional() }),
  /** Makes the zip of a company's data, or of a person's own. */
  'make-export': ofCompany.extend({ exportId: z.uuid() }),
  /** Removes exports that have expired, and what is left of others. */
  'clear-exports': none,
  /** Brings the subscription of a company in line with whether it ends. */
  'settle-charging': ofCompany,
  /** Has companies erased whose time has come. */
  'end-companies': none,
  /** Erases everything of a company. */
  'end-company': ofCompany,
  /** Hands one mail over. */
  'send-mail': z.object({ mailId: z.uuid() }),
  /** Forgets mails that were sent long ago. */
  'clear-mails': none,
  /** Tells admins who want it what has failed since they were told last. */
  'mail-digests': none,
  /** Mails an invited person the link that lets them in. */
  'mail-invitation': ofCompany.extend({
    userId: z.uuid(),
    /** E-mail of who invites; absent where the invited person has asked for the link again. */
    invitedBy: z.string().optional(),
  }),
  /** Writes a wrong password down in the audit log of the company whose person it was tried for, if there is one. */
  'note-failed-sign-in': z.object({ email: z.string(), ip: z.string(), at: z.iso.datetime() }),
  /** Gives new events of the audit log their places in the chains of their companies. */
  'seal-audit': none,
  /** Removes what has been in the audit log for longer than it is kept. */
  'clear-audit': none,
  /** Counts for the analytics what was asked and rated since the last time. */
  'count-questions': none,
  /** Erases questions that their company keeps no longer. */
  'erase-questions': none,
  /** Forgets replies of a day ago. */
  'clear-replies': none,
  /** Mails what was asked in the month before to admins who want to know. */
  'mail-reports': none,
  /** The identity provider's upkeep: keys, expired sessions and codes. */
  'keep-identity': none,
  /** Delivers to a webhook what waits for it. */
  'deliver-webhook': ofCompany.extend({ webhookId: z.uuid() }),
  /** Sends one event, once. */
  'send-by-hand': ofCompany.extend({ webhookId: z.uuid(), deliveryId: z.uuid() }),
  /** Has delivered what is due again; ends what waited for too long. */
  'wake-webhooks': none,
  /** Reads a company's subscription from the payment provider, and writes it down. */
  'sync-subscription': ofCompany,
  /** The same for every company that has ever paid: whatever was missed is put right within a day. */
  'sync-subscriptions': none,
  /** Brings to an end what was left behind: stuck versions, uploads that nobody goes on with. */
  sweep: none,
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.infer<(typeof jobs)[Name]>;

export interface JobRun {
  /** Aborted when the process stops or the job takes longer than it may. */
  signal: AbortSignal;
  /** No further attempt follows: what fails now has failed. */
  isLastAttempt: boolean;
}

export type JobHandlers = { [Name in JobName]: (data: JobData<Name>, run: JobRun) => Promise<void> };

interface Policy {
  /** Jobs of this kind that run at once in one process. */
  concurrency: number;
  /** Attempts after the first. */
  retries: number;
  /** Seconds a job may run. */
  expireSeconds: number;
  /** Of those, for one company (or webhook), in all processes together: the rest is free for others. */
  perCompany?: number;
  /** Of several with the same key only one waits. */
  onePerKey?: boolean;
}

export const policies: Record<JobName, Policy> = {
  'ingest-version': { concurrency: 4, perCompany: 2, retries: 3, expireSeconds: 3600 },
  // One of each company, which take turns page by page. A quarter of an hour of a processor, of which a busy machine
  // gives little, and of which the others have their parts. A process that is gone is noticed before.
  'ingest-long-version': { concurrency: 8, perCompany: 1, retries: 3, expireSeconds: 12 * 3600, onePerKey: true },
  // In the end every 5 minutes, for 3 days: longer than one is down.
  'embed-version': { concurrency: 1, retries: 900, expireSeconds: 900 },
  'embed-left-out': { concurrency: 1, retries: 3, expireSeconds: 900, onePerKey: true },
  // A million characters take a second or three; what is left at its end is gone on with the next night.
  'look-for-orders': { concurrency: 1, retries: 3, expireSeconds: 1800, onePerKey: true },
  // Waits for `erase-search`.
  'erase-document': { concurrency: 1, retries: 20, expireSeconds: 3600 },
  'erase-upload': { concurrency: 1, retries: 20, expireSeconds: 300 },
  'erase-search': { concurrency: 1, retries: 20, expireSeconds: 3600, onePerKey: true },
  'move-in-search': { concurrency: 1, retries: 20, expireSeconds: 300 },
  // The first graph of a large company's vectors takes minutes.
  'optimize-search': { concurrency: 1, retries: 2, expireSeconds: 1800, onePerKey: true },
  'clear-identities': { concurrency: 1, retries: 20, expireSeconds: 300, onePerKey: true },
  'settle-claims': { concurrency: 1, retries: 20, expireSeconds: 60 },
  'mail-password-reset': { concurrency: 2, retries: 5, expireSeconds: 60 },
  // Another try after 2 s, 4 s, ... and then every 5 minutes: some 4 hours in all, longer than servers make strangers
  // wait.
  'send-mail': { concurrency: 3, retries: 56, expireSeconds: 120 },
  'clear-mails': { concurrency: 1, retries: 0, expireSeconds: 300 },
  'mail-digests': { concurrency: 1, retries: 3, expireSeconds: 900, onePerKey: true },
  'mail-invitation': { concurrency: 2, retries: 20, expireSeconds: 60 },
  'mail-confirmation': { concurrency: 2, retries: 20, expireSeconds: 60 },
  'end-unconfirmed': { concurrency: 1, retries: 3, expireSeconds: 900 },
  'erase-company': { concurrency: 1, retries: 20, expireSeconds: 900 },
  // Hundreds of gigabytes take hours; one that is interrupted goes on.
  'make-export': { concurrency: 2, perCompany: 1, retries: 10, expireSeconds: 12 * 3600, onePerKey: true },
  // The provider can be away for hours.
  'settle-charging': { concurrency: 1, retries: 60, expireSeconds: 120, onePerKey: true },
  'end-companies': { concurrency: 1, retries: 0, expireSeconds: 60 },
  // What it has not done in its time is gone on with at the next look for companies that end.
  'end-company': { concurrency: 1, retries: 20, expireSeconds: 6 * 3600, onePerKey: true },
  'clear-exports': { concurrency: 1, retries: 0, expireSeconds: 900 },
  'note-failed-sign-in': { concurrency: 1, retries: 5, expireSeconds: 60 },
  // A thousand events take moments; the first run of a log of millions, minutes.
  'seal-audit': { concurrency: 1, retries: 0, expireSeconds: 3600, onePerKey: true },
  'clear-audit': { concurrency: 1, retries: 0, expireSeconds: 3600, onePerKey: true },
  // A day of a company in another time zone takes moments; all days of one with a million questions, a minute.
  'count-questions': { concurrency: 1, retries: 0, expireSeconds: 3600, onePerKey: true },
  'erase-questions': { concurrency: 1, retries: 3, expireSeconds: 3600, onePerKey: true },
  'clear-replies': { concurrency: 1, retries: 0, expireSeconds: 300 },
  'mail-reports': { concurrency: 1, retries: 3, expireSeconds: 900, onePerKey: true },
  'keep-identity': { concurrency: 1, retries: 0, expireSeconds: 300 },
  // It gives way after half a minute.
  'deliver-webhook': { concurrency: 4, perCompany: 1, retries: 3, expireSeconds: 300, onePerKey: true },
  'send-by-hand': { concurrency: 2, perCompany: 1, retries: 3, expireSeconds: 60 },
  'wake-webhooks': { concurrency: 1, retries: 0, expireSeconds: 60, onePerKey: true },
  // The provider can be away for hours; after that the nightly run catches up.
  'sync-subscription': { concurrency: 2, retries: 30, expireSeconds: 120, onePerKey: true },
  'sync-subscriptions': { concurrency: 1, retries: 3, expireSeconds: 300 },
  sweep: { concurrency: 1, retries: 0, expireSeconds: 300 },
};
