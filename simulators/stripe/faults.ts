import { z } from 'zod';

/** What goes wrong on demand; everything is off until asked for. */
export interface Faults {
  /** The next `times` API requests whose path starts with `path` fail. */
  api: {
    kind: 'status' | 'timeout' | 'reset';
    status: number;
    path: string;
    times: number;
    /** The work is done all the same, only its answer is lost. */
    afterwards: boolean;
  } | null;
  /** Every card is refused, whatever it is. */
  refuseCards: boolean;
  /** Of the events to come this many first deliveries are lost for ever. */
  dropEvents: number;
  /** Every event is delivered so many times more. */
  duplicateEvents: number;
  /** Milliseconds that every delivery waits. */
  delayEventsMs: number;
  /** Holds so many events back, and then delivers them newest first. */
  reorderEvents: number;
}

/** What `POST /_control/faults` takes: what is not named becomes harmless again. */
export const faultsInput = z.strictObject({
  api: z
    .strictObject({
      kind: z.enum(['status', 'timeout', 'reset']).default('status'),
      status: z.int().min(400).max(599).default(500),
      path: z.string().default('/v1/'),
      times: z.int().min(1).default(1),
      afterwards: z.boolean().default(false),
    })
    .nullable()
    .default(null),
  refuseCards: z.boolean().default(false),
  dropEvents: z.int().min(0).default(0),
  duplicateEvents: z.int().min(0).default(0),
  delayEventsMs: z.int().min(0).default(0),
  reorderEvents: z.int().min(0).default(0),
});

export function noFaults(): Faults {
  return faultsInput.parse({});
}
