import type { Content } from './content.ts';

/** Somebody who has signed up, or has tried to. */
export interface Account {
  email: string;
  companyName: string;
  /** Known once the sign-up was acknowledged. */
  companyId?: string;
  idToken: string;
  /** Files are uploaded to its company. */
  busy: boolean;
  /** The payment provider has said that it has paid. */
  paid?: boolean;
}

/** A question as it is written, which may be asked several times. */
export interface Asked {
  /** Each with a key of its own, under which it may have been sent several times. */
  tries: number;
  /** Ids of the answers that have come. */
  acknowledged: Set<string>;
}

/** An upload whose end nobody has heard of. */
export interface OpenEnd {
  id: string;
  /** Bytes that the server has said to have. */
  acknowledged: number;
  content: Content;
}

/** One file name of a company, and what may be there. */
export interface Slot {
  owner: Account;
  name: string;
  /**
   * What answers after the last acknowledged change is the only one; after a change without an answer it may be either.
   */
  possible: (Content | null)[];
  /** Words of what was there and must never be found again. */
  gone: string[];
  openEnd?: OpenEnd;
  /** Something is being done with it; two changes at once would have no certain outcome. */
  busy: boolean;
}

/** What has been promised so far. */
export interface Ledger {
  accounts: Account[];
  slots: Slot[];
  /** By company and text. */
  asked: Map<string, Map<string, Asked>>;
  counts: Record<string, number>;
}

export function createLedger(): Ledger {
  return { accounts: [], slots: [], asked: new Map(), counts: {} };
}

/** What was asked in a company. */
export function askedBy(ledger: Ledger, companyId: string): Map<string, Asked> {
  const asked = ledger.asked.get(companyId) ?? new Map<string, Asked>();
  ledger.asked.set(companyId, asked);
  return asked;
}

export function addSlot(ledger: Ledger, owner: Account, name: string): Slot {
  const slot: Slot = { owner, name, possible: [null], gone: [], busy: false };
  ledger.slots.push(slot);
  return slot;
}

/** From here on it may be so. */
export function intend(slot: Slot, next: Content | null): void {
  if (!slot.possible.includes(next)) slot.possible.push(next);
}

/** From here on it is so: told by an answer, or seen after a restart. */
export function settle(slot: Slot, now: Content | null): void {
  for (const before of slot.possible) if (before && before !== now) slot.gone.push(before.word);
  slot.possible = [now];
  delete slot.openEnd;
}

export function isCertain(slot: Slot): boolean {
  return slot.possible.length === 1 && slot.openEnd === undefined && !slot.busy;
}

export function count(ledger: Ledger, what: string): void {
  ledger.counts[what] = (ledger.counts[what] ?? 0) + 1;
}

/** What is not there. */
export function exclude(slot: Slot, content: Content): void {
  slot.possible = slot.possible.filter((each) => each !== content);
  slot.gone.push(content.word);
  delete slot.openEnd;
}
