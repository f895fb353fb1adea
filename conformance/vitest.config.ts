import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * The port suites that need another maker's emulator, which `npm run conformance` starts, and what takes too long for
 * `npm test`.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['server/**/*.conformance.ts'],
    globalSetup: ['server/testing/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
