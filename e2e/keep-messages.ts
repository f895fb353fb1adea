/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Has messages stand until they are dismissed, however long the test takes. Call it before a page is opened. */
export async function keepMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const original = window.setTimeout.bind(window);
    const later = (run: TimerHandler, ms = 0, ...rest: unknown[]) =>
      ms >= 6000 && ms <= 20_000 ? 0 : original(run, ms, ...rest);
    Object.assign(window, { setTimeout: later });
  });
}
