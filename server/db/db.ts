import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type * as schema from './schema.ts';

type Connection = NodePgDatabase<typeof schema>;
/** A transaction; queries are built with drizzle or its `sql`, always with parameters. */
export type Tx = Parameters<Parameters<Connection['transaction']>[0]>[0];

export interface Database {
  /** The implementation's name, for `/readyz`: `embedded PostgreSQL` or `PostgreSQL`. */
  readonly name: string;
  /**
   * Runs the work in one transaction that sees this company's rows only (row-level security).
   * Commits when it resolves, rolls back when it throws.
   */
  asCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same without the restriction: for jobs and sign-in only. */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Sends a notification when the transaction commits. */
  notify(tx: Tx, channel: Channel, payload: Record<string, unknown>): Promise<void>;
  /** Calls back for every notification on the channel, from any process; returns how to stop. */
  listen(channel: Channel, heard: (payload: Record<string, unknown>) => void): Promise<() => void>;
  close(): Promise<void>;
}

/** `files`: a file changed, payload `{companyId, documentId}`. */
export type Channel = 'files';
