import type { Page } from '@playwright/test';
import { expect, signIn, test } from './test.ts';

/** A part of the page that does not come: the network is gone, or a new version has parts of other names. */
async function cutOff(page: Page, part: string): Promise<() => Promise<void>> {
  const address = `**/assets/${part}-*.js`;
  await page.route(address, (route) => route.abort('connectionfailed'));
  return () => page.unroute(address);
}

const tryAgain = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Try again' });

test('the second step of signing in that does not come says so, and is there after another try', async ({ page }) => {
  await page.route('**/v1/signIn', (route) => {
    const details = { code: 'second-factor-required', methods: ['totp'] };
    return route.fulfill({ status: 401, json: { error: { status: 'UNAUTHENTICATED', message: 'no', details } } });
  });
  const mend = await cutOff(page, 'SecondFactorForm');
  await signIn(page, 'mara@nordwind.example', 'walk the long pier at dawn');
  await expect(page.getByRole('alert')).toContainText('The next step could not be loaded.');
  await expect(page.getByRole('banner')).toBeVisible();
  await mend();
  await tryAgain(page).click();
  await signIn(page, 'mara@nordwind.example', 'walk the long pier at dawn');
  await expect(page.getByLabel('Code of your authenticator app')).toBeFocused();
});

test('single sign-on that does not come leaves the form as it is', async ({ page }) => {
  await page.route('**/v1/getSettings', async (route) => {
    const { result } = await (await route.fetch()).json();
    await route.fulfill({ json: { result: { ...result, singleSignOn: true } } });
  });
  const mend = await cutOff(page, 'SingleSignOn');
  await page.goto('/login');
  await page.getByLabel('Password', { exact: true }).fill('walk the long pier at dawn');
  await page.getByLabel('Email').fill('mara@nordwind.example');
  await expect(page.getByRole('alert')).toContainText('Single sign-on could not be loaded.');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('walk the long pier at dawn');
  await mend();
  await tryAgain(page).click();
  await page.getByLabel('Email').fill('mara@nordwind.example');
  await expect(page.getByRole('button', { name: 'Continue with SSO' })).toBeVisible();
});

test('who comes back from the provider while the network is gone is brought in once it is back', async ({ page }) => {
  await cutOff(page, 'SingleSignOn');
  await page.route('**/healthz', (route) => route.abort('connectionfailed'));
  const completed = page.waitForRequest('**/v1/completeSingleSignOn');
  await page.goto('/login?code=once&state=mine');
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.unrouteAll();
  expect((await completed).postDataJSON().data.search).toContain('code=once');
  // Such a code is none of a provider's, and is in the address no more.
  await expect(page.getByLabel('Email')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});
