import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';
import { keepTemporaryFilesInMemory } from './server/testing/memory-folder.ts';

keepTemporaryFilesInMemory();

const { executablePath, env } = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  outputDir: '.cache/playwright',
  // These end what hangs, and measure nothing.
  timeout: 180_000,
  // What has to come is waited for, however busy the machine is.
  expect: { timeout: 45_000 },
  // A retry would hide a flake.
  retries: 0,
  // One leaves half of two cores idle while it waits for a page. Each has an app of its own.
  workers: 2,
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  globalSetup: './e2e/setup.ts',
  use: {
    viewport: { width: 1440, height: 900 },
    // What fades in is there at once: a window that is looked at before its first frame has colours that are nobody's.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      env,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
    screenshot: 'only-on-failure',
  },
  projects: [
    // The longest files first: begun last, one would go on alone while the other worker has nothing left to do.
    { name: 'ways', testMatch: '**/ways*.spec.ts' },
    { name: 'screens', testMatch: '**/*.spec.ts', testIgnore: '**/ways*.spec.ts' },
    { name: 'texts', testMatch: '**/texts.test.ts', dependencies: ['ways', 'screens'] },
  ],
});
