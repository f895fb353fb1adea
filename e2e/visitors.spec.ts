import { expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** Only the first company may be created here: the admin's own. */
test.use({ settings: { SIGNUP: 'first' } });

test('where nobody has signed up yet, the sign-in leads to it', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('No company here yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Create yours.' }).click();
  await expect(page.getByRole('heading', { name: 'Create your company' })).toBeVisible();
});

test('sign-up that is closed, and who is signed in: no button that could not work, and a way back', async ({
  admin,
  app,
  page,
  browser,
}) => {
  const getStarted = page.getByRole('main').getByRole('button', { name: textAt('pricing.getStarted') });
  const header = page.getByRole('banner');
  for (const path of ['/pricing', '/login', '/signup']) {
    await page.goto(path);
    await expect(header).toContainText(admin.email);
    await expect(header.getByRole('link', { name: textAt('publicLayout.login') })).toHaveCount(0);
  }
  await page.goto('/pricing');
  await expect(page.getByText('$7,129')).toBeVisible();
  await expect(page.getByText('every feature is on')).toBeVisible();
  await expect(getStarted).toHaveCount(0);
  await header.getByRole('link', { name: 'Open app' }).click();
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeVisible();

  const context = await browser.newContext({ baseURL: app.url });
  const visitor = await context.newPage();
  await visitor.goto('/pricing');
  await expect(visitor.getByText('$7,129')).toBeVisible();
  await expect(visitor.getByText('Sign-up is closed here.')).toBeVisible();
  await expect(visitor.getByRole('button', { name: textAt('pricing.getStarted') })).toHaveCount(0);
  await expect(visitor.getByRole('link', { name: textAt('pricing.contactSales') })).toBeVisible();
  await visitor.getByRole('main').getByRole('link', { name: 'sign in' }).click();
  await visitor.waitForURL('**/login');
  await expect(visitor.getByRole('banner').getByRole('link', { name: textAt('publicLayout.login') })).toBeVisible();
  await context.close();
});
