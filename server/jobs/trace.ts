import type { JobWithMetadata } from 'pg-boss';
import { goOnWithSpan, span, spanHere } from '#server/lib/span.ts';

/** Beside a job's data: the step that it was enqueued in, as W3C Trace Context has it. */
const cameFrom = 'traceparent';

/** A job's data with what it takes to go on with the step that enqueues it, where steps are collected. */
export function fromHere<Data extends object>(data: Data): Data & { [cameFrom]?: string } {
  const here = spanHere();
  return here === undefined ? data : { ...data, [cameFrom]: here };
}

/** Does a job as a step of its own, within the one that enqueued it. */
export function asStep(
  job: JobWithMetadata<object>,
  work: (job: JobWithMetadata<object>) => Promise<void>,
): Promise<void> {
  const { [cameFrom]: from, ...data } = job.data as { [cameFrom]?: string };
  return goOnWithSpan(from, () =>
    span(`job ${job.name}`, () => work({ ...job, data }), { attempt: job.retryCount + 1 }),
  );
}
