/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { createClient } from '#client/client.ts';
import { codeIn, linkIn, mailTo } from './outbox.ts';
import { expect, logOut, sees, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

const newPassword = 'a lantern for the last ferry';

test('the three modes: every rule has its words, and only a switch by the person clears them', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await sees(page, 'login.emailRequired');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('nobody@nordwind.example');
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await expect(page.getByText('Please enter your password.')).toBeVisible();
  await page.getByLabel('Password').fill('not the right one');
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await sees(page, 'login.failed');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await sees(page, 'login.forgotPassword');
  await page.getByRole('link', { name: textAt('login.forgotPassword') }).click();
  await expect(page.getByText(textAt('login.failed'))).toHaveCount(0);
  await sees(page, 'login.sendResetLink');
  await sees(page, 'login.backToLogin');
  const email = page.getByLabel('Email');
  await expect(email).toHaveValue('nobody@nordwind.example');
  await expect(email).toBeFocused();
  await email.fill('   ');
  await page.getByRole('button', { name: textAt('login.sendResetLink') }).click();
  await sees(page, 'login.emailRequired');
  await email.fill('nobody');
  await page.getByRole('button', { name: textAt('login.sendResetLink') }).click();
  await sees(page, 'team.invalidEmail');
  // An unknown address gets the same answer as a known one.
  await email.fill('nobody@nordwind.example');
  await page.getByRole('button', { name: textAt('login.sendResetLink') }).click();
  await sees(page, 'login.resetEmailSent');
  await page.getByRole('link', { name: textAt('login.backToLogin') }).click();
  await expect(page.getByRole('heading', { name: textAt('login.signIn') })).toBeVisible();
  await expect(page.getByText(textAt('login.resetEmailSent'))).toHaveCount(0);

  await page.goBack();
  await expect(page.getByRole('button', { name: textAt('login.sendResetLink') })).toBeVisible();
  await page.route('**/v1/sendPasswordReset', (route) => route.abort());
  await page.getByRole('button', { name: textAt('login.sendResetLink') }).click();
  await sees(page, 'login.resetEmailFailed');
});

test('a forgotten password: mail, link, new password, sign-in; the link works once', async ({ admin, app, page }) => {
  await logOut(page);
  const link = await askForLink(page, admin.email, () => mailTo(app, admin.email));
  await page.goto(link);
  await sees(page, 'login.saveNewPassword');
  await expect(page.getByText(admin.email)).toBeVisible();
  expect(page.url()).not.toContain('oobCode');
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await sees(page, 'login.newPasswordRequired');
  const password = page.getByLabel('New password');
  await expect(password).toBeFocused();
  await password.fill('password1234');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await password.fill(newPassword);
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();

  await page.waitForURL((url) => url.pathname === '/login' && url.search === '');
  await sees(page, 'login.resetSucceeded');
  await expect(page.getByLabel('Email')).toHaveValue(admin.email);
  await expect(page.getByLabel('Password')).toBeFocused();
  // The message stays until the person switches; a mistyped password replaces it.
  await signIn(page, admin.email, admin.password);
  await sees(page, 'login.failed');
  await signIn(page, admin.email, newPassword);
  await page.waitForURL('**/chat');

  await logOut(page);
  await page.goto(link);
  await sees(page, 'login.invalidResetLink');
  await expect(page.getByRole('button', { name: textAt('login.signIn') })).toBeVisible();
  expect(page.url()).not.toContain('oobCode');
});

test('a code that was used meanwhile, and one that was lost on its way', async ({ admin, app, page }) => {
  await logOut(page);
  const link = await askForLink(page, admin.email, () => mailTo(app, admin.email));
  await page.goto(link);
  await expect(page.getByText(admin.email)).toBeVisible();
  await createClient(app.url).call('confirmPasswordReset', {
    oobCode: codeIn(await mailTo(app, admin.email)),
    newPassword,
  });
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await sees(page, 'login.resetFailed');

  // Reloaded, the page asks again, and learns that the code has been used.
  await page.reload();
  await sees(page, 'login.invalidResetLink');
  // What a mail program has cut off has no code at all.
  await page.goto('/login?oobCode=');
  await sees(page, 'login.noResetCode');
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await sees(page.getByRole('alert'), 'login.noResetCode');
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page.getByRole('button', { name: textAt('login.sendResetLink') })).toBeVisible();
});

test('a reload of the page with the new password loses nothing, and another page never has the code', async ({
  admin,
  app,
  page,
}) => {
  await logOut(page);
  await page.goto(await askForLink(page, admin.email, () => mailTo(app, admin.email)));
  await expect(page.getByText(admin.email)).toBeVisible();
  await page.reload();
  await expect(page.getByText(admin.email)).toBeVisible();
  expect(page.url()).not.toContain('oobCode');
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await sees(page, 'login.resetSucceeded');
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('code');
  await page.goto('/login?mode=resetPassword');
  await sees(page, 'login.noResetCode');
});

test('a server that can not be reached does not make a link invalid', async ({ page }) => {
  await page.route('**/v1/verifyResetCode', (route) => route.abort());
  await page.goto('/login?oobCode=0123456789');
  await expect(page.getByRole('alert')).toContainText('not available right now');
  await page.unroute('**/v1/verifyResetCode');
  await page.getByRole('button', { name: 'Try again' }).click();
  await sees(page, 'login.invalidResetLink');
});

/** Asks for a reset by the form, and answers the link that is mailed. */
async function askForLink(page: Page, email: string, mail: () => ReturnType<typeof mailTo>): Promise<string> {
  await page.getByRole('link', { name: textAt('login.forgotPassword') }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: textAt('login.sendResetLink') }).click();
  await sees(page, 'login.resetEmailSent');
  return linkIn(await mail());
}
