import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  CheckoutRecord,
  CustomerRecord,
  EndpointRecord,
  EventRecord,
  IdempotencyRecord,
  InvoiceRecord,
  PaymentMethodRecord,
  PortalRecord,
  PriceRecord,
  ProductRecord,
  ScheduleRecord,
  SubscriptionRecord,
} from './records.ts';

interface Tables {
  customers: CustomerRecord;
  products: ProductRecord;
  prices: PriceRecord;
  paymentMethods: PaymentMethodRecord;
  subscriptions: SubscriptionRecord;
  invoices: InvoiceRecord;
  schedules: ScheduleRecord;
  checkouts: CheckoutRecord;
  portals: PortalRecord;
  events: EventRecord;
  endpoints: EndpointRecord;
  idempotency: IdempotencyRecord;
}

const tableNames = [
  'customers',
  'products',
  'prices',
  'paymentMethods',
  'subscriptions',
  'invoices',
  'schedules',
  'checkouts',
  'portals',
  'events',
  'endpoints',
  'idempotency',
] as const satisfies readonly (keyof Tables)[];

/** Every table by id, in the order in which things were made. */
export type Store = { [Name in keyof Tables]: Map<string, Tables[Name]> };

export function createStore(): Store {
  return {
    customers: new Map(),
    products: new Map(),
    prices: new Map(),
    paymentMethods: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    schedules: new Map(),
    checkouts: new Map(),
    portals: new Map(),
    events: new Map(),
    endpoints: new Map(),
    idempotency: new Map(),
  };
}

/** An id with the provider's prefix for its kind, such as `cus_…`. */
export function newId(prefix: string, length = 24): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return `${prefix}_${Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')}`;
}

/** What stands in the snapshot file beside the tables. */
export interface Saved {
  /** How far the clock has been moved, in milliseconds. */
  moved: number;
}

/**
 * Reads a snapshot into the store; null where there is none. A file that can't be read is an error, not an empty start.
 */
export function loadSnapshot(store: Store, file: string): Saved | null {
  const text = readIfThere(file);
  if (text === null) return null;
  const saved: Saved & { tables: { [Name in keyof Tables]?: Tables[Name][] } } = JSON.parse(text);
  for (const name of tableNames) fill(store, name, saved.tables[name] ?? []);
  return { moved: saved.moved };
}

/** Writes the snapshot beside the old one, then puts it in its place: a crash leaves the one or the other, whole. */
export function saveSnapshot(store: Store, file: string, saved: Saved): void {
  const tables = Object.fromEntries(tableNames.map((name) => [name, [...store[name].values()]]));
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  writeFileSync(temporary, JSON.stringify({ ...saved, tables }), { mode: 0o600 });
  renameSync(temporary, file);
}

function fill<Name extends keyof Tables>(store: Store, name: Name, rows: Tables[Name][]): void {
  const table: Map<string, Tables[Name]> = store[name];
  for (const row of rows) table.set(row.id, row);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
