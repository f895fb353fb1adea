/// <reference lib="dom" />
import { expect, type Page, type Route } from '@playwright/test';
import { textAt } from './texts.ts';

/** A page, and what is there in the end. */
export type Screen = readonly [path: string, end: string | RegExp];

declare global {
  interface Window {
    shifts: string[];
  }
}

/**
 * Notes each shift that nobody has caused by a key or a click, with what has moved. Call it before a page is opened.
 */
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
  await stands(page, path);
}

async function stands(page: Page, path: string): Promise<void> {
  await expect(page.getByText(textAt('common.loading'))).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await drawn(page);
  expect.soft(await shiftsOf(page), path).toEqual([]);
}

/** Two frames later what has been drawn has also been reported. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Opens a screen of which each part comes by itself, in the order in which it is asked for or the other way round, and
 * asserts that nothing has moved.
 * @param next from which end of what is waited for the next one comes
 * @param waiting what is seen, or done, while nothing is there yet
 */
export async function comesStill(
  page: Page,
  [path, end]: Screen,
  next: 'shift' | 'pop',
  waiting: () => Promise<unknown>,
): Promise<void> {
  const held: Route[] = [];
  let holds = true;
  // Who is signed in decides which screen it is: until then there is none.
  const whole = /\/v1\/(refreshSession|getSession|getSettings)$/;
  await page.route('**/v1/*', async (route) => {
    if (holds && !whole.test(route.request().url())) held.push(route);
    else await route.fallback();
  });
  await page.goto(path);
  await waiting();
  await drawn(page);
  for (let route = held[next](); route; route = held[next]()) {
    // A stream has no end that could be waited for.
    if (route.request().headers().accept?.includes('event-stream')) await route.fallback();
    else await route.fulfill({ response: await route.fetch() });
    await drawn(page);
  }
  holds = false;
  await expect(page.getByText(end).filter({ visible: true }).first()).toBeVisible();
  // What was asked for in the meantime.
  for (const route of held) await route.fallback();
  await stands(page, path);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}
