/** How often something may be done. */
export interface Rates {
  /** Per company. */
  uploadsPerMinute: number;
  /** Per address. */
  signUpsPerHour: number;
  /** Per address, in 15 minutes. */
  signInsPerAddress: number;
  /** Per account and from all browsers that its owner has not used before, in 15 minutes; half of it per address. */
  signInsPerAccount: number;
  /** Per address. */
  resetsPerHour: number;
  /** Codes of mailed links that may be tried from one address in 15 minutes. */
  codesPerAddress: number;
  /** Mails with an invitation, per company. */
  invitationsPerHour: number;
  /** Sessions renewed or ended, per address. */
  refreshesPerMinute: number;
  /** Programs registered that people could connect, per address. */
  appRegistrationsPerHour: number;
  /** Requests of such programs to be connected, or for tokens, per address. */
  appRequestsPerMinute: number;
}

/**
 * What a call of somebody who is signed in takes: an answer, a look into the search tables, reading or changing rows, a
 * part of an upload.
 */
export type CallKind = 'question' | 'search' | 'read' | 'change' | 'piece';

/** How many calls of each kind in a minute. */
export type CallRates = Record<CallKind, { perPerson: number; perCompany: number }>;
