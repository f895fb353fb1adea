/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { ask, enter, expect, logOut, test } from './test.ts';
import { textAt } from './texts.ts';

const question = 'Who signs for the harbour crane?';

/** What the tab itself has kept. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
}

test('signing out forgets the conversation where the chat was not opened since the page was loaded', async ({
  admin: { page },
}) => {
  await ask(page, question);
  await expect.poll(() => kept(page)).toContain(question);
  await page.goto('/admin/settings');
  await page.getByRole('button', { name: textAt('admin.logout') }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => kept(page)).not.toContain(question);
});

test('it forgets the conversations of other tabs, whatever they show', async ({ admin: { page } }) => {
  const other = await page.context().newPage();
  const third = await page.context().newPage();
  for (const tab of [other, third]) {
    await tab.goto('/chat');
    await ask(tab, question);
  }
  await other.goto('/pricing');
  await third.goto('/admin/team');
  await page.getByRole('button', { name: textAt('admin.logout') }).click();
  await third.waitForURL('**/login');
  for (const tab of [other, third]) await expect.poll(() => kept(tab)).not.toContain(question);
  await other.close();
  await third.close();
});

test('a tab that was elsewhere meanwhile has no conversation of an earlier session either', async ({ admin, page }) => {
  const { email, password } = admin;
  const away = await page.context().newPage();
  await away.goto('/chat');
  await ask(away, question);
  await away.goto('about:blank');
  await logOut(page);
  await enter(page, 'signIn', { email, password });
  await page.goto('/chat');
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeVisible();
  await away.goto('/chat');
  await expect(away.getByRole('log')).toContainText('What would you like to know?');
  await expect.poll(() => kept(away)).not.toContain(question);
  await expect(away.getByText(question)).toHaveCount(1);
  await away.close();
});

test('a signed-out visitor is not told of an error that is none', async ({ page }) => {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  for (const path of ['/chat', '/admin/dashboard', '/documents/1/1', '/profile', '/login', '/signup', '/pricing']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  expect(refused).toEqual([]);
});

test('who leaves the page at once is signed out all the same', async ({ admin: { page, client } }) => {
  const logout = page.getByRole('button', { name: textAt('admin.logout') });
  await logout.evaluate((button) => {
    if (button instanceof HTMLElement) button.click();
    location.assign('about:blank');
  });
  const standing = () =>
    client.call('getSession', null).then(
      () => 'signed in',
      ({ code }) => code,
    );
  await expect.poll(standing).toBe('session-expired');
});
