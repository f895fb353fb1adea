import { AppError } from '#contract/errors.ts';

/**
 * Turns whatever was thrown into an error of the catalogue. What is not of the catalogue becomes `internal`, whose text
 * says nothing; the cause is kept for the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  for (const each of causes(thrown)) {
    if (each instanceof AppError) return each;
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('too-large', { cause: thrown });
    if (code.startsWith('FST_ERR_CTP_') || code === 'FST_ERR_BAD_URL') {
      return new AppError('bad-request', { cause: thrown });
    }
    if (unheld.test(code)) return new AppError('invalid-input', { cause: thrown });
    if (passing.test(code) || passingText.test(each.message)) {
      return new AppError('unavailable', { cause: thrown });
    }
  }
  return new AppError('internal', { cause: thrown });
}

// Refused or reset connections, an absent socket, PostgreSQL's classes 08 (connection), 53 (no resources) and 57P
// (shutting down or starting), and a transaction that it has ended since two waited for each other (40P01), which goes
// through when it is tried again. The pool's own two errors carry no code.
const passing = /^(ECONNREFUSED|ECONNRESET|EPIPE|08\w{3}|40P01|53\w{3}|57P0[1-5])$/;
const passingText =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect|Cannot use a pool after calling end|connect ENOENT)/;

// A character that no text of PostgreSQL's can have, as it stands and in JSON: NUL. We write none, so it was sent.
const unheld = /^(22021|22P05)$/;

/** The error and what caused it, outermost first; bounded, because a cause can be made to point at itself. */
export function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = thrown; each instanceof Error && chain.length < 8; each = each.cause) chain.push(each);
  return chain;
}
