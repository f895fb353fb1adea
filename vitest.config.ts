import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './server/testing/memory-folder.ts';

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    include: ['{contract,server,simulators,web,evals,samples,scripts}/**/*.test.ts'],
    globalSetup: ['server/testing/postgres.ts'],
    setupFiles: ['server/testing/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    retry: 0,
    // A state that is waited for may take its time on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 20 } },
  },
});
