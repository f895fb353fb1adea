import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import type { SearchUpkeep } from '#server/features/documents/processing/search-upkeep.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { OutboundOptions } from '#server/lib/outbound.ts';
import type { Simulator, SimulatorOptions } from '#simulators/stripe/simulator.ts';
import type { ConnectionLimits } from './http/connections.ts';

/** What a start of the product can have otherwise than usual. */
export interface AppOptions {
  log?: Logger;
  deadlineMs?: number;
  pingMs?: number;
  searchUpkeep?: SearchUpkeep;
  simulator?: SimulatorOptions;
  /** Of the limits' windows, in milliseconds since the epoch. */
  limitsClock?: () => number;
  connections?: Partial<ConnectionLimits>;
  /** The texts of a name's TXT records; the system's own resolver where nothing else is given. */
  resolveTxt?: (name: string) => Promise<string[]>;
  /** Of deliveries: the time by which they wait, and how receivers are reached. */
  webhooks?: { clock?: () => Date; outbound?: Pick<OutboundOptions, 'resolve' | 'timeoutMs' | 'connectTimeoutMs'> };
  /** How much room there is on the disk of a path. */
  freeBytesAt?: (path: string) => Promise<number>;
}

/** The whole product, running. */
export interface App {
  readonly http: FastifyInstance;
  readonly db: Database;
  readonly jobs: Jobs;
  /** The implementation behind each port. */
  readonly ports: Record<string, string>;
  /** The payment provider's double; null where companies pay in earnest, or not at all. */
  readonly simulator: Simulator | null;
  /** Where the first company is created, as long as it takes a code to do so; null: anyone may, or nobody any more. */
  setUpLink(): Promise<string | null>;
  /** Starts to answer; resolves with the address listened on. */
  listen(): Promise<string>;
  /** Answers what is being answered, lets jobs end, and stops what it started. */
  close(): Promise<void>;
}
