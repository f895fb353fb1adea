import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The port suites that need another maker's emulator; `npm run conformance` starts it. */
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
