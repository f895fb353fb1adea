import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './server/testing/memory-folder.ts';

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    include: ['{contract,server,simulators,web,evals,samples,scripts}/**/*.test.ts'],
    globalSetup: ['server/testing/postgres.ts'],
    setupFiles: ['server/testing/setup.ts'],
    // These end what hangs, and measure nothing: a machine that does other things beside takes five times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 2,
    retry: 0,
    // A state that is waited for may take its time on a busy machine.
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
