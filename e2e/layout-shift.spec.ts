/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { comesStill, noteShifts, opensStill, type Screen, shiftsOf } from './still.ts';
import { ask, expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** What is on its way takes no room from what is already read: nothing on a screen moves by itself. */
for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 860 } });

    test('no screen moves while it loads', async ({ admin: { page, client }, uploaded, browser, app }) => {
      await noteShifts(page);
      const { collectionId } = await client.call('createCollection', { name: 'Board papers', access: 'restricted' });
      const hasSidebar = width > 1000;
      // Each with what is there in the end: first of a company that has nothing yet, then of one that has.
      const screens: Screen[] = [
        ['/chat', hasSidebar ? textAt('chat.noQueries') : /What would you like/],
        ['/profile', textAt('success.goToApp')],
        ['/admin/dashboard', textAt('team.heading')],
        ['/admin/documents', /of 50 GB/],
        ['/admin/collections', 'Board papers'],
        [`/admin/collections/${collectionId}`, 'Board papers'],
        ['/admin/team', 'Send Invite'],
        ['/admin/analytics', 'Monthly report'],
        ['/admin/chat-agent', 'Try it'],
        ['/admin/settings/company', 'Company name'],
        ['/admin/settings/billing', 'Payment is switched off'],
        ['/admin/settings/branding', 'Accent colour'],
        ['/admin/settings/security', 'Your password'],
        ['/admin/settings/notifications', 'One email a day, when there is something to tell'],
        ['/admin/settings/api-keys', 'Create a key'],
        ['/admin/settings/webhooks', 'Add a webhook'],
        ['/admin/settings/data', 'Delete the company'],
        ['/admin/settings/audit', /^Signed up/],
        ['/account/security', 'This browser'],
        ['/account/data', 'Your data'],
        ['/nowhere', 'Page not found'],
      ];
      for (const screen of screens) await opensStill(page, screen);
      await uploaded('Travel policy 2026.pdf', 'Price list Q4.xlsx');
      for (const screen of screens) await opensStill(page, screen);
      for (const file of await client.call('getCompanyFiles', null))
        await opensStill(page, [`/documents/${file.id}/1`, /^of \d+$/]);
      await page.goto('/chat');
      // Short enough for one line of the field, which grows with what is written.
      await ask(page, 'Hotel limit in Berlin?');
      await ask(page, 'and in Zürich?');
      await ask(page, 'May I bring my dog?');
      expect(await shiftsOf(page)).toEqual([]);

      // Now each part of them when the test lets it, on a desk as asked for, on a phone the last one first.
      const busy = page.locator('[aria-busy="true"]').filter({ visible: true });
      const slow = screens.filter(([path]) => !['/chat', '/profile', '/account/data', '/nowhere'].includes(path));
      for (const screen of slow)
        await comesStill(page, screen, hasSidebar ? 'shift' : 'pop', () => expect(busy.first()).toBeVisible());

      const visits: Screen[] = [
        ['/login', textAt('login.signIn')],
        ['/login?mode=forgotPassword', textAt('login.sendResetLink')],
        ['/login?mode=resetPassword', textAt('login.noResetCode')],
        ['/login?oobCode=wrong', textAt('login.invalidResetLink')],
        ['/login?confirmCode=wrong', /expired|used|valid/],
        ['/signup', textAt('signup.alreadyHaveAccount')],
        ['/signup?priceId=basic_annual', textAt('signup.alreadyHaveAccount')],
        ['/pricing', textAt('pricing.mostPopular')],
        ['/developers', 'searchPassages'],
      ];
      const context = await browser.newContext({ baseURL: app.url, viewport: { width, height: 860 } });
      const visitor = await context.newPage();
      // The fonts are in the browser's cache from here on, as they are for whoever has been here before.
      await visitor.goto('/login');
      await noteShifts(visitor);
      for (const visit of visits) await opensStill(visitor, visit);
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

declare global {
  interface Window {
    /** Milliseconds of each motion made by a script. */
    moves: number[];
  }
}
