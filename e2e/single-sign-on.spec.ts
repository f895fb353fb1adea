/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { type NameServer, startNameServer } from '#server/testing/name-server.ts';
import { startTestProvider, type TestProvider } from '#server/testing/oidc-provider.ts';
import { inspect, inspectBoth, widths } from './inspect.ts';
import { test as base, expect, sees } from './test.ts';
import { textAt } from './texts.ts';

const test = base.extend<object, { provider: TestProvider; names: NameServer }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: what a fixture needs is read from this pattern.
    async ({}, use) => {
      const provider = await startTestProvider();
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  names: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const names = await startNameServer();
      await use(names);
      await names.close();
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ provider, names }, use) => use({ OUTBOUND_ALLOW: provider.issuer, DNS_SERVER: names.address }),
    { scope: 'worker' },
  ],
});

test('an admin sets up the provider, proves a domain, tries it and closes passwords; people come in by it', async ({
  admin,
  app,
  provider,
  names,
}) => {
  const { page, email, password } = admin;
  await provider.leadBackTo(`${app.url}/login`);
  provider.person = { sub: email, email, email_verified: true };
  await page.goto('/admin/settings/security');
  const section = page.getByRole('region', { name: 'Single sign-on' });
  await section.getByLabel('Issuer').fill(provider.issuer);
  await section.getByLabel('Client ID').fill(provider.client.clientId);
  await section.getByLabel('Client secret').fill(provider.client.clientSecret);
  await section.getByRole('button', { name: 'Save provider' }).click();
  await expect(section.getByText('It is kept. Leave this empty unless it has changed.')).toBeVisible();

  // Keyboard alone, from here.
  await section.getByRole('button', { name: 'Add domain' }).focus();
  await page.keyboard.press('Enter');
  await expect(section.getByText('Please enter a domain, such as example.com.')).toBeVisible();
  await section.getByLabel('Domain', { exact: true }).fill('nordwind.example');
  await page.keyboard.press('Enter');
  const domain = section.getByRole('region', { name: 'nordwind.example' });
  const name = await domain.getByLabel('Name of the record', { exact: true }).inputValue();
  const value = await domain.getByLabel('Value of the record', { exact: true }).inputValue();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const taken = {
    'Redirect address': `${app.url}/login`,
    'Back-channel logout address': await section
      .getByLabel('Back-channel logout address', { exact: true })
      .inputValue(),
    'Name of the record': name,
    'Value of the record': value,
  };
  for (const [label, text] of Object.entries(taken)) {
    await section.getByRole('button', { name: `Copy ${label}` }).focus();
    await page.keyboard.press('Enter');
    await expect(section.getByRole('button', { name: `Copied ${label}` })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
  await domain.getByRole('button', { name: 'Check now' }).focus();
  await page.keyboard.press('Enter');
  await expect(domain.getByText('The record was not found.')).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page);
  }
  names.records.set(name, value);
  await domain.getByRole('button', { name: 'Check now' }).focus();
  await page.keyboard.press('Enter');
  await expect(domain.getByText('is verified.')).toBeVisible();

  await section.getByRole('button', { name: 'Remove provider' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove your provider?' });
  await expect(removal).toBeVisible();
  await inspectBoth(page);
  await page.keyboard.press('Escape');
  await expect(removal).toHaveCount(0);
  await section.getByRole('button', { name: 'Try the sign-in' }).click();
  await expect(section.getByText('The sign-in works.')).toBeVisible();
  await section.getByRole('button', { name: 'Make it the only way in' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the only way in' }).click();
  await expect(section.getByText('Passwords are refused.')).toBeVisible();
  await page.getByRole('button', { name: textAt('admin.logout'), exact: true }).click();
  await page.waitForURL('**/login');

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await sees(page, 'login.failed');
  await expect(page.getByText('Your company signs in with single sign-on.')).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page);
  }
  await page.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.waitForURL('**/chat');

  // Somebody who was never here joins by the same way.
  await page.goto('/admin/settings/security');
  await expect(section.getByText('Passwords are refused.')).toBeVisible();
  await page.getByRole('button', { name: textAt('admin.logout'), exact: true }).click();
  await page.waitForURL('**/login');
  provider.person = { sub: 'new', email: 'new@nordwind.example', email_verified: true };
  await page.context().clearCookies({ domain: 'localhost', name: /^_/ });
  await page.getByLabel('Email').fill('new@nordwind.example');
  await page.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.waitForURL('**/chat');
  await page.goto('/account/security');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the provider that is saved is said to be, and what is typed meanwhile stays', async ({
  admin: { page },
  provider,
}) => {
  await page.goto('/admin/settings/security');
  const form = page.getByRole('form', { name: 'Your provider' });
  await form.getByLabel('Issuer').fill(provider.issuer);
  await form.getByLabel('Client ID').fill(provider.client.clientId);
  await form.getByLabel('Client secret').fill(provider.client.clientSecret);
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/saveSingleSignOn', async (route) => {
    begun.resolve();
    await held.promise;
    await route.continue();
  });
  await form.getByRole('button', { name: 'Save provider' }).click();
  await begun.promise;
  await form.getByLabel('Client ID').fill('another');
  held.resolve();
  await expect(form.getByText('Not saved yet.')).toBeVisible();
  await expect(form.getByLabel('Client ID')).toHaveValue('another');
  await expect(form.getByLabel('Client secret')).toHaveValue('');
  await form.getByRole('button', { name: 'Save provider' }).click();
  await expect(form.getByText('Saved.')).toBeVisible();
  await inspectBoth(page);
});

test('a domain is removed after a question, and adding one leaves what was typed meanwhile', async ({
  admin: { page },
}) => {
  await page.goto('/admin/settings/security');
  const section = page.getByRole('region', { name: 'Single sign-on' });
  const field = section.getByLabel('Domain', { exact: true });
  const sent = Promise.withResolvers<void>();
  const typed = Promise.withResolvers<void>();
  await page.route('**/v1/addDomain', async (route) => {
    sent.resolve();
    await typed.promise;
    await route.continue();
  });
  await field.fill('harbour.example');
  await page.keyboard.press('Enter');
  await sent.promise;
  await field.fill('quay.example');
  typed.resolve();
  const domain = section.getByRole('region', { name: 'harbour.example' });
  await expect(domain).toBeVisible();
  await expect(field).toHaveValue('quay.example');
  await page.keyboard.press('Enter');
  await expect(section.getByRole('region', { name: 'quay.example' })).toBeVisible();
  await expect(field).toHaveValue('');

  const remove = domain.getByRole('button', { name: 'Remove harbour.example' });
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Remove this domain?' });
  await expect(question).toContainText('harbour.example');
  await inspectBoth(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(remove).toBeFocused();
  await refuseOnce(page, 'removeDomain');
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Remove' }).click();
  const password = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(password).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(password).toHaveCount(0);
  await expect(question).toHaveCount(0);
  await expect(section.getByRole('alert')).toHaveCount(0);
  await remove.click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(domain).toHaveCount(0);
});

/** The next such call is refused as of somebody whose sign-in is too long ago. */
async function refuseOnce(page: Page, call: string): Promise<void> {
  const error = { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'recent-sign-in-required' } };
  await page.route(`**/v1/${call}`, (route) => route.fulfill({ status: 400, json: { error } }), { times: 1 });
}
