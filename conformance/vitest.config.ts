import { defineConfig } from 'vitest/config';

/** The port suites that need another maker's emulator; `npm run conformance` starts it. */
export default defineConfig({
  test: {
    root: '..',
    include: ['server/ports/**/*.conformance.ts'],
    globalSetup: ['server/testing/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
