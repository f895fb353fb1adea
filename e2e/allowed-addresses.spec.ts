import type { BrowserContext } from '@playwright/test';
import { inspect, widths } from './inspect.ts';
import { test as base, expect, sees } from './test.ts';
import { textAt } from './texts.ts';

// The browser speaks as the proxy does that tells where a request has come from.
const test = base.extend({ settings: [{ TRUST_PROXY: '127.0.0.1, ::1' }, { scope: 'worker' }] });
const office = '203.0.113.7';
const home = '198.51.100.20';
const moveTo = (context: BrowserContext, ip: string) => context.setExtraHTTPHeaders({ 'X-Forwarded-For': ip });

test('an admin lets people in from the office alone, by the keyboard; who is elsewhere is out at once', async ({
  admin,
  member,
  app,
}) => {
  const { page, client } = admin;
  await moveTo(page.context(), office);
  await page.goto('/admin/settings/security');
  const section = page.getByRole('region', { name: 'Allowed addresses' });
  await expect(section.getByText(`People can come in from any address. You are at ${office}.`)).toBeVisible();
  const list = section.getByLabel('Addresses', { exact: true });
  const save = section.getByRole('button', { name: 'Save' });
  const dialog = page.getByRole('dialog');
  const letIn = async () => {
    await save.focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('what people have open elsewhere ends')).toBeVisible();
    await dialog.getByRole('button', { name: 'Let in from these alone' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  };

  await save.focus();
  await page.keyboard.press('Enter');
  await expect(section.getByText('Please enter an address, or remove the list.')).toBeVisible();
  await list.focus();
  await page.keyboard.type('203.0.113.7/24 Berlin office');
  await letIn();
  await expect(section.getByText('Did you mean 203.0.113.0/24?')).toBeVisible();
  await expect(list).toHaveAttribute('aria-invalid', 'true');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page);
  }
  await list.fill('192.0.2.0/24 Hamburg office');
  await letIn();
  await expect(section.getByText(`Your own address, ${office}, has to be on the list`)).toBeVisible();
  await section.getByRole('button', { name: 'Add my address' }).focus();
  await page.keyboard.press('Enter');
  await expect(list).toHaveValue(`192.0.2.0/24 Hamburg office\n${office}`);
  await letIn();
  await expect(section.getByText('Saved.')).toBeVisible();
  await expect(section.getByText('People come in from these addresses alone')).toBeVisible();
  await expect(list).toHaveValue(`192.0.2.0/24 Hamburg office\n${office}/32`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page);
  }

  // Somebody elsewhere, who had the chat open.
  await expect(member.page.getByText('You are outside of your company’s network')).toBeVisible();
  await expect(member.page.getByText('Please connect to it and try again.')).toBeVisible();
  for (const width of widths) {
    await member.page.setViewportSize({ width, height: 900 });
    await inspect(member.page);
  }
  await moveTo(member.context, office);
  await member.page.getByRole('button', { name: 'Try again' }).click();
  await expect(member.page.getByRole('textbox').first()).toBeVisible();
  await expect(member.page).toHaveURL(/\/chat$/);

  // And whoever signs in from there.
  const visitor = await member.context.browser()?.newContext({ baseURL: app.url });
  if (!visitor) throw new Error('no browser');
  await moveTo(visitor, home);
  const login = await visitor.newPage();
  await login.goto('/login');
  await login.getByLabel('Email').fill(member.email);
  await login.getByLabel('Password', { exact: true }).fill(member.password);
  await login.getByRole('button', { name: textAt('login.signIn') }).click();
  await sees(login, 'login.failed');
  await expect(login.getByText('Your company lets people in from its own network alone.')).toBeVisible();
  await inspect(login);

  // The operator's way out, and the list's end.
  const { company } = await client.call('getSession', null).catch(() => ({ company: null }));
  expect(company).toBeNull();
  await section.getByRole('button', { name: 'Remove the list' }).click();
  await dialog.getByRole('button', { name: 'Remove the list' }).click();
  await expect(section.getByText('People can come in from any address.')).toBeVisible();
  const { company: again } = await client.call('getSession', null);
  await section.getByRole('button', { name: 'Add my address' }).click();
  await letIn();
  await app.company('allow-any-address', again.id);
  await login.getByRole('button', { name: textAt('login.signIn') }).click();
  await login.waitForURL('**/chat');
  await visitor.close();
});

test('with two forms not saved one question is asked, and still is when one of them is saved', async ({
  admin: { page },
}) => {
  await page.goto('/admin/team');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  const addresses = page.getByRole('region', { name: 'Allowed addresses' });
  const sessions = page.getByRole('form', { name: 'Sessions' });
  const dialog = page.getByRole('dialog');
  const ranges = addresses.getByLabel('Addresses', { exact: true });
  await ranges.fill('203.0.113.0/24 Berlin office');
  await sessions.getByLabel('After 4 hours').check();

  await page.getByRole('link', { name: 'Documents' }).click();
  await expect(dialog).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(dialog).toHaveCount(0);

  await sessions.getByRole('button', { name: 'Save' }).click();
  await expect(sessions.getByText('Saved.')).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(1);
  await expect(page).toHaveURL(/\/admin\/settings\/security$/);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(ranges).toHaveValue('203.0.113.0/24 Berlin office');

  await sessions.getByLabel('After 12 hours').check();
  await page.getByRole('link', { name: 'Documents' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/admin\/documents$/);
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/admin\/settings\/security$/);
});
