import { AppError } from '#contract/errors.ts';

/** Whether the person would rather not confirm who they are: then nothing has failed, and nothing is told. */
export function isCancelled(error: unknown): boolean {
  return error instanceof AppError && error.code === 'cancelled';
}
