import { expect, logOut, sees, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

test('the routes lead where the specification says', async ({ page }) => {
  for (const [from, to] of [
    ['/', '/login'],
    ['/chat', '/login'],
    ['/profile', '/login'],
    ['/admin', '/login'],
    ['/admin/dashboard', '/login'],
    ['/admin/settings', '/login'],
  ] as const) {
    await page.goto(from);
    await page.waitForURL((url) => url.pathname === to);
  }
});

test('the public layout', async ({ page }) => {
  await page.goto('/login');
  await sees(page, 'publicLayout.pricing');
  await sees(page, 'publicLayout.login');
  await sees(page, 'publicLayout.getStarted');
  await sees(page.getByRole('contentinfo'), 'publicLayout.copyrightYear');
  await sees(page.getByRole('contentinfo'), 'publicLayout.terms');
  await page.getByRole('link', { name: textAt('publicLayout.getStarted') }).click();
  await page.waitForURL('**/pricing');
});

test('signing in: a wrong password is said in the specified words, a right one leads to the chat', async ({
  admin,
  page,
}) => {
  await logOut(page);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill('not the right one');
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await sees(page, 'login.failed');
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.getByLabel('Password').fill(admin.password);
  await sees(page, 'login.signIn');
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await page.waitForURL('**/chat');
  await page.reload();
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeVisible();
});

test('a guard brings the person back to where they wanted to go, also by way of another mode', async ({
  admin,
  page,
}) => {
  await logOut(page);
  await page.goto('/admin/team');
  await page.waitForURL('**/login*');
  await page.getByRole('link', { name: textAt('login.forgotPassword') }).click();
  await page.getByRole('link', { name: textAt('login.backToLogin') }).click();
  await signIn(page, admin.email, admin.password);
  await page.waitForURL('**/admin/team');
});

test('signing up: every rule has its words', async ({ admin, page }) => {
  await logOut(page);
  await page.goto('/signup');
  await sees(page, 'signup.alreadyHaveAccount');
  await sees(page, 'signup.signIn');
  await sees(page, 'signup.submitWithoutPayment');
  const submit = page.getByRole('button', { name: textAt('signup.submitWithoutPayment') });
  await page.getByLabel('Company name').fill('   ');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByLabel('Confirm password').fill(`${admin.password}!`);
  await submit.click();
  await expect(
    page
      .getByText(textAt('signup.companyNameRequired'))
      .or(page.getByText(textAt('signup.passwordsDiffer')))
      .first(),
  ).toBeVisible();
  await page.getByLabel('Company name').fill('Second Company');
  await submit.click();
  await sees(page, 'signup.passwordsDiffer');
  await page.getByLabel('Confirm password').fill(admin.password);
  await page.getByLabel('Company name').fill('   ');
  await submit.click();
  await sees(page, 'signup.companyNameRequired');
  await page.getByLabel('Company name').fill('Second Company');
  // Held back, so that the state in between can be seen.
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/signUp', async (route) => {
    await held.promise;
    await route.continue();
  });
  await submit.click();
  await sees(page, 'signup.busy');
  held.resolve();
  await sees(page, 'signup.emailInUse');
  await page.unroute('**/v1/signUp');
  await page.route('**/v1/signUp', (route) => route.abort());
  await page.getByLabel('Email').fill('another@nordwind.example');
  await submit.click();
  await expect(page.getByText('The service is not available right now.')).toBeVisible();
  await expect(submit).toBeVisible();
});

test('pricing: annual at first, the toggle changes what is charged', async ({ page }) => {
  await page.goto('/pricing');
  await sees(page, 'pricing.heading');
  await sees(page, 'pricing.annualSaving');
  await sees(page, 'pricing.mostPopular');
  await sees(page, 'pricing.custom');
  await sees(page, 'pricing.contactSales');
  await expect(page.getByRole('link', { name: textAt('pricing.contactSales') })).toHaveAttribute(
    'href',
    'mailto:sales@nordwind.example',
  );
  await sees(page, 'pricing.getStarted');
  await expect(page.getByText('$3,050')).toBeVisible();
  await expect(page.getByText('$7,129')).toBeVisible();
  await expect(page.getByText('about $24 per person and month, with 25 people')).toBeVisible();
  await page
    .getByText(/semi-annual/i)
    .first()
    .click();
  await expect(page.getByText('$1,794')).toBeVisible();
  await expect(page.getByText('$4,194')).toBeVisible();
  await page
    .getByRole('link', { name: textAt('pricing.getStarted') })
    .or(page.getByRole('button', { name: textAt('pricing.getStarted') }))
    .last()
    .click();
  await page.waitForURL('**/signup*');
});
