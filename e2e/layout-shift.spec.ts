/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { ask, expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** What is on its way takes no room from what is already read: nothing on a screen moves by itself. */
for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 860 } });

    test('no screen moves while it loads', async ({ admin: { page, client }, uploaded, browser, app }) => {
      await uploaded('Travel policy 2026.pdf', 'Price list Q4.xlsx');
      const files = await client.call('getCompanyFiles', null);
      await noteShifts(page);
      // Each with what is there in the end.
      const screens: [path: string, end: string | RegExp][] = [
        ['/chat', width > 1000 ? textAt('chat.noQueries') : /What would you like/],
        ['/profile', textAt('success.goToApp')],
        ...files.map(({ id }): [string, RegExp] => [`/documents/${id}/1`, /^of \d+$/]),
        ['/admin/dashboard', textAt('team.heading')],
        ['/admin/documents', /of 50 GB/],
        ['/admin/team', 'Send Invite'],
        ['/admin/analytics', 'Monthly report'],
        ['/admin/chat-agent', 'Try it'],
        ['/admin/settings/company', 'Company name'],
        ['/admin/settings/branding', 'Accent colour'],
        ['/admin/settings/security', 'Your password'],
        ['/admin/settings/notifications', 'One mail a day, when there is something to tell'],
        ['/admin/settings/data', 'Delete the company'],
        ['/admin/settings/audit', /^Signed up/],
        ['/account/security', 'This browser'],
        ['/account/data', 'Your data'],
        ['/nowhere', 'Page not found'],
      ];
      for (const [path, end] of screens) await opensStill(page, path, end);
      await page.goto('/chat');
      // Short enough for one line of the field, which grows with what is written.
      await ask(page, 'Hotel limit in Berlin?');
      await ask(page, 'and in Zürich?');
      await ask(page, 'May I bring my dog?');
      expect(await shiftsOf(page)).toEqual([]);

      const context = await browser.newContext({ baseURL: app.url, viewport: { width, height: 860 } });
      const visitor = await context.newPage();
      // The fonts are in the browser's cache from here on, as they are for whoever has been here before.
      await visitor.goto('/login');
      await noteShifts(visitor);
      await opensStill(visitor, '/login', textAt('login.signIn'));
      await opensStill(visitor, '/login?mode=forgotPassword', textAt('login.sendResetLink'));
      await opensStill(visitor, '/signup', textAt('signup.alreadyHaveAccount'));
      await opensStill(visitor, '/pricing', textAt('pricing.mostPopular'));
      await context.close();
    });
  });
}

async function opensStill(page: Page, path: string, end: string | RegExp): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(end).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText(textAt('common.loading'))).toHaveCount(0);
  // Two frames later what has been drawn has also been reported.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await shiftsOf(page), path).toEqual([]);
}

declare global {
  interface Window {
    shifts: string[];
  }
}

/** Notes each shift that nobody has caused by a key or a click, with what has moved. */
async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null }[];
        };
        if (hadRecentInput || value === 0) continue;
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ');
        window.shifts.push(`${value.toFixed(4)}: ${moved}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => window.shifts);
}
