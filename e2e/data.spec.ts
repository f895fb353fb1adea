import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { readZip } from '#server/testing/read-zip.ts';
import { inspect, widths } from './inspect.ts';
import { expect, signIn, test } from './test.ts';

/** Starts an export on the page, and saves it as a person does. */
async function exported(page: Page): Promise<Map<string, Buffer>> {
  await page.getByRole('button', { name: 'Start the export' }).click();
  const button = page.getByRole('button', { name: 'Download' });
  await expect(button).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readZip(await readFile(await download.path()));
}

test('an admin takes the company’s data along', async ({ admin: { page }, uploaded }) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/settings/data');
  const zip = await exported(page);
  expect([...zip.keys()]).toEqual(expect.arrayContaining(['README.txt', 'documents/Onboarding checklist.md']));
  await expect(page.getByText('It is erased after 24 hours')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start a new export' })).toBeVisible();
});

test('a download does not ask about what is not saved on the page', async ({ admin: { page } }) => {
  await page.goto('/admin/settings/data');
  const days = page.getByLabel('How many days questions and answers are kept');
  await days.fill('200');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  expect([...(await exported(page)).keys()]).toContain('README.txt');
  expect(asked).toEqual([]);
  await expect(days).toHaveValue('200');
});

test('a member takes their own data along, from the account', async ({ member: { page, email } }) => {
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('link', { name: 'Your data' }).click();
  await expect(page).toHaveURL(/\/account\/data$/);
  const zip = await exported(page);
  expect(JSON.parse(String(zip.get('profile.json')))).toMatchObject({ email });
});

test('the company is deleted by its name, is closed, and can be kept', async ({ admin, member, browser, app }) => {
  const { page, company } = admin;
  await page.goto('/admin/settings/data');
  await page.getByRole('button', { name: 'Delete the company…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the company?' });
  const name = dialog.getByLabel('Type the name of the company');
  await expect(name).toBeFocused();
  await page.keyboard.type('Nordwind');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the name of your company.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete the company…' }).click();
  await name.fill(company);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  const heading = page.getByRole('heading', { name: `${company} will be deleted on` });
  await expect(heading).toBeVisible();

  await member.page.goto('/chat');
  await expect(member.page.getByText('only an admin can keep it')).toBeVisible();
  await expect(member.page.getByRole('button', { name: 'Keep the company' })).toHaveCount(0);
  const context = await browser.newContext({ baseURL: app.url });
  const elsewhere = await context.newPage();
  await signIn(elsewhere, member.email, member.password);
  await expect(elsewhere.getByText('One of its admins can still keep it.')).toBeVisible();
  await context.close();

  for (const width of [...widths, 960]) {
    await page.setViewportSize({ width, height: 800 });
    await inspect(page);
  }
  await page.goto('/chat');
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Keep the company' }).click();
  await page.waitForURL('**/chat');
  await expect(page.getByRole('log')).toBeVisible();
});

test('the account’s data page can be read at every width', async ({ admin: { page } }) => {
  await page.goto('/account/data');
  for (const width of [...widths, 960]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('button', { name: 'Start the export' })).toBeVisible();
    await inspect(page);
  }
});
