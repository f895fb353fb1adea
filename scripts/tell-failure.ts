import { ConfigError } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';

/** Why a command has failed: in words where the operator can mend it, else with where it came from. */
export function tellFailure(error: unknown): void {
  const known = error instanceof ConfigError || error instanceof CannotStart || isUsage(error);
  console.error(`\n${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}

function isUsage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
