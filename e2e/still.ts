/// <reference lib="dom" />
import { expect, type Page } from '@playwright/test';
import { textAt } from './texts.ts';

/** A page, and what is there in the end. */
export type Screen = readonly [path: string, end: string | RegExp];

declare global {
  interface Window {
    shifts: string[];
  }
}

/** Notes each shift that nobody has caused by a key or a click, with what has moved. Call it before a page is opened. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        if (hadRecentInput || value === 0) continue;
        const at = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
        const moved = sources
          .map(({ node, previousRect, currentRect }) => {
            const text = node?.textContent?.slice(0, 40);
            return `${text} (${at(previousRect)} to ${at(currentRect)})`;
          })
          .join(' | ');
        window.shifts.push(`${value.toFixed(4)}: ${moved}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved by itself since the page was opened. */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => window.shifts);
}

/** Opens a screen, and asserts that until its end is there nothing has moved. */
export async function opensStill(page: Page, [path, end]: Screen): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(end).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText(textAt('common.loading'))).toHaveCount(0);
  // Two frames later what has been drawn has also been reported.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect.soft(await shiftsOf(page), path).toEqual([]);
}
