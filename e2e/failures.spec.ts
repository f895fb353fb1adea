import type { Page } from '@playwright/test';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

/** What a server answers that has failed without knowing why. */
const broken = { status: 500, json: { error: { status: 'INTERNAL', message: 'INTERNAL' } } };
const ended = {
  status: 401,
  json: {
    error: { status: 'UNAUTHENTICATED', message: 'Your session has ended.', details: { code: 'session-expired' } },
  },
};

test('a file that could not be deleted, and the server does not say why', async ({ admin: { page }, uploaded }) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/dashboard');
  await page.route('**/v1/deleteFile', (route) => route.fulfill(broken));
  await deleteFile(page);
  await sees(page.getByRole('alert'), 'documents.deleteFailed');
});

test('a sign-up that fails, and the server does not say why', async ({ page }) => {
  await page.goto('/signup');
  await page.route('**/v1/signUp', (route) => route.fulfill(broken));
  await page.getByLabel('Company name').fill('Nordwind Logistics');
  await page.getByLabel('Email').fill('mara@nordwind.example');
  await page.getByLabel('Password', { exact: true }).fill('walk the long pier at dawn');
  await page.getByLabel('Confirm password').fill('walk the long pier at dawn');
  await page.getByRole('button', { name: textAt('signup.submitWithoutPayment') }).click();
  await sees(page.getByRole('alert'), 'signup.failed');
});

test('a question that fails, and the server does not say why', async ({ admin: { page } }) => {
  await page.route('**/v1/query', (route) => route.fulfill(broken));
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await input.fill('What now?');
  await input.press('Enter');
  await sees(page.getByRole('log'), 'chat.failed');
  await expect(page.getByRole('log')).toContainText(textAt('chat.errorPrefix') + textAt('chat.failed'));
});

test('deleting a file when the session has ended: the login screen says what was not done', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('button', { name: /^Delete / })).toBeVisible();
  await endSession(page, 'deleteFile');
  await deleteFile(page);
  await page.waitForURL('**/login');
  await sees(page.getByRole('alert'), 'documents.deleteSignedOut');
  // A switch by the person clears it, as every message there.
  await page.getByRole('link', { name: textAt('login.forgotPassword') }).click();
  await page.getByRole('link', { name: textAt('login.backToLogin') }).click();
  await expect(page.getByText(textAt('documents.deleteSignedOut'))).toHaveCount(0);
});

test('removing a person when the session has ended: the login screen says why nobody was removed', async ({
  admin: { page },
  member,
}) => {
  await page.goto('/admin/team');
  await expect(page.getByRole('button', { name: `Remove ${member.email}` })).toBeVisible();
  await endSession(page, 'deleteUser');
  await page.getByRole('button', { name: `Remove ${member.email}` }).click();
  await page.getByRole('dialog', { name: 'Remove this person?' }).getByRole('button', { name: 'Remove' }).click();
  await page.waitForURL('**/login');
  await sees(page.getByRole('alert'), 'team.removeSignedOut');
});

/** From now on nobody is signed in, which the page learns from the first call that it makes. */
async function endSession(page: Page, call: string): Promise<void> {
  await page.context().clearCookies();
  await page.route(`**/v1/${call}`, (route) => route.fulfill(ended));
}

async function deleteFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Delete / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}
