/// <reference lib="dom" />
import { confirmationTo, linkIn } from './outbox.ts';
import { enter, expect, test } from './test.ts';

test('whoever signs up confirms the address by the mailed link before inviting, and the banner goes', async ({
  page,
  app,
}) => {
  const email = `new-${crypto.randomUUID()}@nordwind.example`;
  await page.goto('/signup');
  await page.getByLabel('Company name').fill('Payroll: your bonus, https://evil.example');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('walk the long pier at dawn');
  await page.getByLabel('Confirm password').fill('walk the long pier at dawn');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('A company name cannot contain web addresses')).toBeVisible();
  await page.getByLabel('Company name').fill('Nordwind Logistics');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL('/chat');

  await page.goto('/admin/team');
  const banner = page.getByText('Please confirm your email', { exact: true });
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`A new link is on its way to ${email}.`)).toBeVisible();

  const link = linkIn(await confirmationTo(app, email, 2));
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.getByText('Your email address is confirmed.')).toBeVisible();
  expect(other.url()).not.toContain('confirmCode');
  // Whoever is signed in needs no form.
  await expect(other.getByLabel('Password', { exact: true })).toHaveCount(0);
  await other.getByRole('main').getByRole('link', { name: 'Open app' }).click();
  await other.waitForURL('/chat');
  await other.close();

  await page.reload();
  await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
  await expect(banner).toBeHidden();
});

test('the banner keeps its height when the fonts come late', async ({ page }) => {
  const email = `new-${crypto.randomUUID()}@nordwind.example`;
  await enter(page, 'signUp', { companyName: 'Nordwind', email, password: 'walk the long pier at dawn' });
  const held = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/admin/team', { waitUntil: 'commit' });
  const banner = page.getByRole('status').filter({ hasText: 'Please confirm your email' });
  await expect(banner).toBeVisible();
  const standIns = () =>
    page.evaluate(() => [...document.fonts].filter(({ family }) => / by /.test(family)).map(({ status }) => status));
  // Those of the system come a moment later, too, or fail where there are none.
  await expect.poll(standIns).not.toContain('loading');
  test.skip(!(await standIns()).includes('loaded'), 'this machine has none of the fonts that stand in');
  const before = await banner.boundingBox();
  held.resolve();
  await expect
    .poll(() => page.evaluate(() => document.fonts.check('14px "Inter Variable"') && document.fonts.status))
    .toBe('loaded');
  expect((await banner.boundingBox())?.height).toBe(before?.height);
});

test('a link that is made up says what to do', async ({ page }) => {
  await page.goto('/login?confirmCode=made-up');
  await expect(page.getByText('This confirmation link is invalid or has expired.')).toBeVisible();
});
