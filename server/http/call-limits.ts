import type { Config } from '#server/config.ts';
import type { Actor } from './actor.ts';
import type { CallsOptions } from './calls.ts';
import type { Limits } from './limits.ts';

/** The limits that a call has as such. Those of sign-in and sign-up also depend on the account, and stand in identity. */
export function callLimits(limits: Limits, rates: Config['rates']): NonNullable<CallsOptions['limit']> {
  return async (name, actor) => {
    if (name === 'query' && actor) await limits.take(`query:${actor.userId}`, rates.questionsPerMinute, 60);
  };
}

/** Counts the start of an upload, by company. */
export function uploadLimit(limits: Limits, rates: Config['rates']): (actor: Actor) => Promise<void> {
  return ({ companyId }) => limits.take(`upload:${companyId}`, rates.uploadsPerMinute, 60);
}
