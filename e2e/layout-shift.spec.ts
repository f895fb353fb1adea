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
        ['/admin/settings/notifications', 'One email a day, when there is something to tell'],
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

test('what comes, goes or moves does so within 200 ms, and at once for whoever wants no motion', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf', 'Price list Q4.xlsx');
  await page.addInitScript(() => {
    window.moves = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
      window.moves.push(Number(typeof options === 'object' ? options.duration : options));
      return animate.call(this, frames, options);
    };
  });
  await page.reload();
  const moves = async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const usual = await motionsOf(page);
    expect(usual.filter(({ ms, repeats }) => !repeats && ms > 200)).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect((await motionsOf(page)).filter(({ ms }) => ms > 0)).toEqual([]);
    return usual.filter(({ ms }) => ms > 0).map(({ of }) => of);
  };
  await (await ask(page, 'Hotel limit in Berlin?'))
    .getByRole('link', { name: /^Source 1: / })
    .first()
    .click();
  await expect(page.getByRole('complementary', { name: 'Document' })).toBeVisible();
  expect(await moves()).toContain('ASIDE');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await moves()).not.toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(page.getByRole('alert').getByText('A new chat has begun.')).toBeVisible();
  expect(await moves()).not.toEqual([]);
  await page.goto('/admin/documents');
  const byName = page.getByRole('columnheader', { name: 'Name' });
  await expect(page.getByRole('row', { name: 'Price list Q4.xlsx' })).toBeVisible();
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion });
    const before = await byName.getAttribute('aria-sort');
    await byName.getByRole('button').click();
    await expect(byName).not.toHaveAttribute('aria-sort', before ?? '');
    const made = await page.evaluate(() => window.moves);
    expect(made.length > 0).toBe(reducedMotion === 'no-preference');
    expect(made.filter((ms) => ms > 200)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 860 });
  await page.goto('/chat');
  await page.getByRole('button', { name: 'Files and questions' }).click();
  await expect(page.getByRole('dialog', { name: 'Files and questions' })).toBeVisible();
  expect(await moves()).toContain('DIALOG');
});

/** Whatever may move on the screen now: its element, for how many milliseconds, and whether without an end. */
function motionsOf(page: Page): Promise<{ of: string; ms: number; repeats: boolean }[]> {
  return page.evaluate(() => {
    const longest = (times: string) => Math.max(...times.split(',').map((time) => Number.parseFloat(time) * 1000));
    return [...document.querySelectorAll('body *')].flatMap((element) =>
      [undefined, '::before', '::after', '::backdrop'].flatMap((part) => {
        const style = getComputedStyle(element, part);
        const of = `${element.tagName}${part ?? ''}`;
        const transition = style.transitionProperty === 'none' ? 0 : longest(style.transitionDuration);
        const animation = style.animationName === 'none' ? 0 : longest(style.animationDuration);
        const repeats = style.animationIterationCount.includes('infinite');
        return [
          { of, ms: transition, repeats: false },
          { of, ms: animation, repeats },
        ];
      }),
    );
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
    /** Milliseconds of each motion made by a script. */
    moves: number[];
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
