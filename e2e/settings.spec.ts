import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { png } from '#server/testing/png.ts';
import { noViolations } from './inspect.ts';
import { expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** What an admin decides for the company, section by section. */

const form = (page: Page, name: string) => page.getByRole('form', { name });

async function save(page: Page, name: string): Promise<void> {
  await form(page, name).getByRole('button', { name: 'Save' }).click();
  await expect(form(page, name)).toContainText('Saved.');
}

const sections = [
  ['company', 'Company name'],
  ['billing', 'Payment is switched off'],
  ['branding', 'Accent colour'],
  ['security', 'Everyone has to sign in again'],
  ['notifications', 'One email a day'],
  ['data', 'Show who asked'],
  ['audit', 'newest first'],
] as const;

for (const [width, scheme] of [
  [1440, 'dark'],
  [960, 'light'],
  [360, 'light'],
] as const) {
  test(`at ${width} px, ${scheme}, each section can be read, and nothing is wider than the page`, async ({
    admin: { page },
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/admin/settings');
    await expect(page).toHaveURL(/\/admin\/settings\/company$/);
    for (const [path, text] of sections) {
      await page.goto(`/admin/settings/${path}`);
      await expect(page.getByText(text).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await noViolations(page);
    }
  });
}

test('sign-in and security can be used while parts of it are on their way', async ({ admin: { page } }) => {
  const held = Promise.withResolvers<void>();
  for (const call of ['getSingleSignOn', 'getAllowedAddresses']) {
    await page.route(`**/v1/${call}`, async (route) => {
      await held.promise;
      await route.continue();
    });
  }
  await page.goto('/admin/settings/security');
  const parts = ['Single sign-on', 'Allowed addresses'].map((name) => page.getByRole('region', { name }));
  for (const part of parts) await expect(part.getByText(textAt('common.loading'))).toBeVisible();
  await noViolations(page);
  held.resolve();
  for (const part of parts) await expect(part.getByText(textAt('common.loading'))).toHaveCount(0);
});

test('what is typed while the form is being saved stays; what is saved is, whatever cannot be read afterwards', async ({
  admin: { page, company: before },
}) => {
  await page.goto('/admin/settings/company');
  const company = form(page, 'Company');
  const name = company.getByLabel('Company name');
  await expect(name).toHaveValue(before);
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/updateCompany', async (route) => {
    begun.resolve();
    await held.promise;
    await route.continue();
  });
  await page.route('**/v1/getSession', (route) =>
    route.fulfill({ status: 403, json: { error: { status: 'PERMISSION_DENIED', message: 'no' } } }),
  );
  await name.fill('Nordwind');
  await company.getByRole('button', { name: 'Save' }).click();
  await begun.promise;
  await name.fill('Nordwind and sons');
  held.resolve();
  await expect(company).toContainText('Not saved yet.');
  await expect(company.getByRole('button', { name: 'Discard changes' })).toBeVisible();
  await expect(name).toHaveValue('Nordwind and sons');
  await page.unroute('**/v1/updateCompany');
  await save(page, 'Company');
  await page.unroute('**/v1/getSession');
  await page.reload();
  await expect(name).toHaveValue('Nordwind and sons');
});

test('the company gets another name, with a long or a right-to-left one; leaving with changes asks', async ({
  admin: { page, company },
}) => {
  await page.goto('/admin/settings/company');
  const name = form(page, 'Company').getByLabel('Company name');
  await expect(name).toHaveValue(company);
  await name.fill(' ');
  await form(page, 'Company').getByRole('button', { name: 'Save' }).click();
  await expect(form(page, 'Company')).toContainText('Please enter a company name.');
  await name.fill('Call https://evil.example');
  await form(page, 'Company').getByRole('button', { name: 'Save' }).click();
  await expect(form(page, 'Company').getByRole('alert')).toContainText('cannot contain web addresses');
  await name.fill('شركة الشمال للخدمات اللوجستية والنقل البري والبحري والتخزين');
  await form(page, 'Company').getByLabel('Language of emails').selectOption('Deutsch');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await save(page, 'Company');
  await expect(page.getByRole('main')).toContainText('شركة الشمال');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/data$/);
});

test('a brand of its own is on every page of the company’s people, and gone when taken back', async ({
  admin: { page },
  member,
}) => {
  await page.goto('/admin/settings/branding');
  await form(page, 'Branding').getByLabel('Name').fill('Nordwind Wissen');
  await form(page, 'Branding').getByLabel('Accent colour').fill('#ffee00');
  await expect(form(page, 'Branding').getByRole('alert')).toContainText('too light');
  await form(page, 'Branding').getByLabel('Accent colour').fill('#7a1f3f');
  await expect(form(page, 'Branding').getByRole('alert')).toHaveCount(0);
  const picker = form(page, 'Branding').getByLabel('Choose a logo');
  await picker.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(form(page, 'Branding').getByRole('alert')).toContainText('not a picture that can be read');
  // Wider than the server takes: the browser makes it fit.
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(1600 * 4, Buffer.from([122, 31, 63, 255]))]);
  const data = deflateSync(Buffer.concat(Array.from({ length: 200 }, () => line)));
  await picker.setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: png({ width: 1600, height: 200, data }),
  });
  await expect(form(page, 'Branding').getByRole('img', { name: 'Nordwind Wissen' })).toBeVisible();
  await save(page, 'Branding');
  await expect(page).toHaveTitle(/Nordwind Wissen$/);
  await member.page.reload();
  const logo = member.page.getByRole('link', { name: 'Nordwind Wissen' }).getByRole('img');
  await expect(logo).toBeVisible();
  await expect(logo).toHaveJSProperty('naturalWidth', 800);
  await expect(member.page).toHaveTitle(/Nordwind Wissen$/);
  await noViolations(page);
  await form(page, 'Branding').getByRole('button', { name: 'Remove the logo' }).click();
  await form(page, 'Branding').getByLabel('Name').fill('');
  await form(page, 'Branding').getByRole('button', { name: 'Use the usual colour' }).click();
  await save(page, 'Branding');
  await expect(page).toHaveTitle(/Footnote$/);
});

test('sessions, notifications and how long questions are kept are saved, each by itself', async ({
  admin: { page },
}) => {
  await page.goto('/admin/settings/security');
  await page.getByRole('button', { name: 'Change your password' }).click();
  await expect(page.getByRole('dialog')).toContainText('Current password');
  await page.keyboard.press('Escape');
  await form(page, 'Sessions').getByLabel('After 7 days').check();
  await save(page, 'Sessions');
  await page.goto('/admin/settings/notifications');
  await form(page, 'Notifications').getByLabel('Questions that found no answer').check();
  await save(page, 'Notifications');
  await page.goto('/admin/settings/data');
  const days = form(page, 'Data').getByLabel('Questions and answers are kept');
  await days.fill('0');
  await expect(form(page, 'Data')).toContainText('Please enter a number from 1 to');
  await days.fill('90');
  await form(page, 'Data').getByLabel('Show who asked').uncheck();
  await form(page, 'Data').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase older ones' }).click();
  await expect(form(page, 'Data')).toContainText('Saved.');
  await page.goto('/admin/settings/security');
  await expect(form(page, 'Sessions').getByLabel('After 7 days')).toBeChecked();
  await page.goto('/admin/settings/notifications');
  await expect(form(page, 'Notifications').getByLabel('Questions that found no answer')).toBeChecked();
  await expect(form(page, 'Notifications').getByLabel('Files that could not be read')).not.toBeChecked();
  await page.goto('/admin/settings/data');
  await expect(form(page, 'Data').getByLabel('Questions and answers are kept')).toHaveValue('90');
  await expect(form(page, 'Data').getByLabel('Show who asked')).not.toBeChecked();
});
