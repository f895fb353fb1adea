import { inspect, widths } from './inspect.ts';
import { cards, onHostedPage, pay, payOutside, signUp, simulatorOf } from './paying.ts';
import { ask, expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

test.use({ settings: { BILLING: 'stripe' } });

const getStarted = textAt('pricing.getStarted');

test('from the plans to the first question: sign up, pay, ask', async ({ page }) => {
  await page.goto('/signup');
  await page.waitForURL('**/pricing');
  await page.getByText('Semi-annual').click();
  await page.getByRole('button', { name: getStarted }).last().click();
  await page.waitForURL('**/signup?priceId=professional_semiannual');
  await sees(page, 'signup.submit');

  await signUp(page, 'professional_semiannual');
  await onHostedPage(page);
  await expect(page.getByText('Due today: $4,194.00')).toBeVisible();
  const hosted = page.url();
  await pay(page, cards.pays);
  await page.waitForURL('**/profile*');
  await sees(page, 'success.heading');
  await sees(page, 'success.text');
  await expect(page.getByRole('link', { name: 'upload your first documents' })).toBeVisible();
  await page.getByRole('link', { name: textAt('success.goToApp') }).click();
  await page.waitForURL('**/chat');
  await ask(page, 'What may a hotel in Berlin cost?');

  // Paying twice, going back: nothing happens twice.
  await page.goto(hosted);
  await expect(page.getByText('You have already paid')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await sees(page, 'success.heading');
  await page.goto('/pricing');
  await page.getByRole('button', { name: getStarted }).first().click();
  await expect(page.getByRole('alert')).toContainText('Your company already has a subscription.');
  await page.getByRole('link', { name: 'Open the settings' }).click();
  await page.waitForURL('**/admin/settings/billing');
  await expect(page.getByText('$4,194.00 on')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Invoices' }).getByRole('row')).toHaveCount(2);
  // The dashboard says which plan it is, and leads there.
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Professional plan' }).click();
  await page.waitForURL('**/admin/settings/billing');
});

test('a declined card, then turning back: the account stays, and the plans lead to the same page', async ({ page }) => {
  await page.goto('/signup?priceId=basic_annual');
  await expect(page.getByText('Basic, annual: $3,050 per year.')).toBeVisible();
  await signUp(page, 'basic_annual');
  await onHostedPage(page);
  const hosted = page.url();
  await pay(page, cards.declined);
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.waitForURL('**/pricing');

  await page.goto('/chat');
  await expect(page.getByText('Choose a plan to start asking')).toBeVisible();
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toHaveCount(0);
  await page.getByRole('link', { name: 'Choose a plan' }).click();
  await page.waitForURL('**/pricing');

  const held = Promise.withResolvers<void>();
  await page.route('**/v1/createCheckoutSession', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: getStarted }).first().click();
  await sees(page, 'pricing.processing');
  // Only the card that was chosen.
  await expect(page.getByRole('button', { name: getStarted })).toHaveCount(1);
  held.resolve();
  await onHostedPage(page);
  expect(page.url()).toBe(hosted);
  await page.goBack();
  await page.waitForURL('**/pricing');
  await expect(page.getByRole('button', { name: getStarted })).toHaveCount(2);
});

test('a card that asks the bank: refused there it is not paid, confirmed it is', async ({ page }) => {
  await signUp(page, 'basic_semiannual');
  await onHostedPage(page);
  await pay(page, cards.asksTheBank);
  await expect(page.getByText('Payment of $1,794.00')).toBeVisible();
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert')).toContainText('unable to authenticate');
  await pay(page, cards.asksTheBank);
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL('**/profile*');
  await sees(page, 'success.heading');
});

test('the success screen waits for the payment, and goes on by itself', async ({ page }) => {
  await signUp(page, 'basic_annual');
  await onHostedPage(page);
  const hosted = page.url();
  await page.goto(`/profile?session_id=${sessionOf(hosted)}`);
  await expect(page.getByRole('heading', { name: 'Payment not confirmed yet' })).toBeVisible();
  await payOutside(hosted);
  await sees(page, 'success.heading');
});

test('the success screen of who has paid nothing says so, and leads to the plans', async ({ page }) => {
  await signUp(page, 'basic_annual');
  await onHostedPage(page);
  const hosted = page.url();
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'No paid subscription yet' })).toBeVisible();
  await expect(page).toHaveTitle(/^No paid subscription yet/);
  await expect(page.getByText(/payment/i)).toHaveCount(0);
  await page.getByRole('link', { name: 'Choose a plan' }).click();
  await page.waitForURL('**/pricing');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'No paid subscription yet' })).toBeVisible();
  await page.goto('/admin/settings/billing');
  await expect(page.getByText('Nothing is charged')).toBeVisible();
  await page.goto('/admin/analytics');
  await expect(page.getByText('What is asked is counted here as soon as your company has a plan.')).toBeVisible();
  await page.goto('/profile');
  // Somebody pays elsewhere.
  await payOutside(hosted);
  await sees(page, 'success.heading');
});

test('the success screen ends its waiting, and begins again when asked', async ({ page }) => {
  await page.clock.install();
  await signUp(page, 'basic_annual');
  await onHostedPage(page);
  const hosted = page.url();
  await page.goto(`/profile?session_id=${sessionOf(hosted)}`);
  await expect(page.getByText('This page checks again by itself.')).toBeVisible();
  const again = page.getByRole('button', { name: 'Check again' });
  await expect(async () => {
    await page.clock.runFor(30_000);
    await expect(again).toBeVisible({ timeout: 200 });
    // It looks a dozen times, each a turn of this.
  }).toPass({ intervals: [50] });
  await payOutside(hosted);
  await again.click();
  await sees(page, 'success.heading');
});

test('when the provider fails, sign-up keeps the account and the plans say what happened', async ({ page, app }) => {
  const simulator = await simulatorOf(app);
  await simulator.refuse('/v1/checkout/sessions', 50);
  await signUp(page, 'basic_annual');
  await sees(page, 'signup.checkoutFailed');
  await expect(page.getByRole('button', { name: textAt('signup.submit') })).toBeVisible();
  await simulator.refuse('/v1/checkout/sessions', 0);
  await page.getByRole('link', { name: 'Choose a plan' }).click();
  await page.waitForURL('**/pricing');

  await page.route('**/v1/createCheckoutSession', (route) =>
    route.fulfill({ status: 500, json: { error: { status: 'INTERNAL', message: 'INTERNAL' } } }),
  );
  await page.getByRole('button', { name: getStarted }).first().click();
  await sees(page.getByRole('alert'), 'pricing.checkoutFailed');
  await expect(page.getByRole('button', { name: getStarted })).toHaveCount(2);
  await page.unroute('**/v1/createCheckoutSession');
  await page.getByRole('button', { name: getStarted }).first().click();
  await onHostedPage(page);
});

for (const width of widths) {
  test(`everybody can use the screens of payment: ${width} px`, async ({ page }) => {
    // Twelve screens, each looked at for a second or more.
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    await signUp(page, 'basic_annual');
    await onHostedPage(page);
    const hosted = page.url();
    const waiting = `/profile?session_id=${sessionOf(hosted)}`;
    for (const path of ['/profile', waiting, '/chat', '/admin/dashboard', '/admin/settings/billing', '/pricing']) {
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await inspect(page);
    }
    await payOutside(hosted);
    await page.goto('/profile');
    await sees(page, 'success.heading');
    await inspect(page);
    await page.goto('/pricing');
    await page.getByRole('button', { name: getStarted }).first().click();
    await page.getByRole('link', { name: 'Open the settings' }).waitFor();
    await inspect(page);
    await page.goto('/admin/settings/billing');
    await expect(page.getByText('Visa ending in 4242')).toBeVisible();
    await inspect(page);
    await page.getByRole('button', { name: 'Choose Professional, annual' }).click();
    await expect(page.getByText('Charged now')).toBeVisible();
    await inspect(page);
  });
}

/** What the provider calls the payment on its page. */
function sessionOf(hosted: string): string {
  return hosted.slice(hosted.lastIndexOf('/') + 1);
}
