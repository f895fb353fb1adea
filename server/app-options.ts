import type { Logger } from 'pino';
import type { SearchUpkeep } from '#server/features/documents/processing/search-upkeep.ts';
import type { SimulatorOptions } from '#simulators/stripe/simulator.ts';
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
  /** How much room there is on the disk of a path. */
  freeBytesAt?: (path: string) => Promise<number>;
}
