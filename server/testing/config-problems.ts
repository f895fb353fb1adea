import { ConfigError, readConfig } from '#server/config/config.ts';

/** What the start would say is wrong with these settings; empty where nothing is. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
