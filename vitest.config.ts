import { defineConfig, type TestUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keepTemporaryFilesInMemory } from './server/testing/memory-folder.ts';

keepTemporaryFilesInMemory();

/** What takes minutes: begun last, it would go on alone while the other worker has nothing left to do. */
const slow = ['testing/crash.test.ts', 'testing/real-files.test.ts', 'db/postgres/launcher.test.ts'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Their process is their own: they change it for good, measure it, or need it as it starts. */
const alone = [
  'server/features/documents/upload/uploads-disk.test.ts',
  'server/features/identity/attacks.test.ts',
  'server/features/ingestion/planted/planted.test.ts',
  'server/features/ingestion/sandbox/effort.test.ts',
  'server/features/retrieval/question/long-questions.test.ts',
  'server/lib/garbage.test.ts',
  'server/testing/event-loop.test.ts',
];

const everywhere: TestUserConfig = {
  setupFiles: ['server/testing/setup.ts'],
  // These end what hangs, and measure nothing: a machine that does other things beside takes five times as long.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  pool: 'forks',
  // The engine's helpers, four for each worker, would be in each other's way.
  execArgv: ['--v8-pool-size=1'],
  // A state that is waited for may take its time on a busy machine.
  expect: { poll: { timeout: 60_000, interval: 20 } },
};

export default defineConfig({
  test: {
    globalSetup: ['server/testing/postgres.ts'],
    // Two leave a seventh of two cores idle, while they wait for timers, stores and programs of their own.
    maxWorkers: 3,
    retry: 0,
    sequence: { sequencer: SlowFirst },
    projects: [
      // One process for many files loads the product once, and its code is compiled by then: a sixth of all the time.
      {
        test: {
          ...everywhere,
          name: 'together',
          isolate: false,
          include: ['{contract,server,simulators,web,evals,samples,scripts,crash}/**/*.test.ts'],
          exclude: alone,
        },
      },
      { test: { ...everywhere, name: 'alone', include: alone } },
    ],
  },
});
