import { createClient } from '#client/client.ts';
import { inspectBoth } from './inspect.ts';
import { confirmEmail } from './outbox.ts';
import { cards, pay, simulatorOf, subscribe } from './paying.ts';
import { addMember, expect, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

test.use({ settings: { BILLING: 'stripe' } });

const getStarted = textAt('pricing.getStarted');

test('an upgrade costs what its preview says, a smaller plan waits, and a cancellation can be taken back', async ({
  page,
}) => {
  await subscribe(page, 'basic_semiannual');
  await page.goto('/admin/settings/billing');
  await expect(page.getByText('Basic, semi-annual')).toBeVisible();
  await expect(page.getByText('Visa ending in 4242, expires 12/2044')).toBeVisible();

  await page.getByRole('button', { name: 'Choose Professional, annual' }).click();
  const dialog = page.getByRole('dialog');
  const cell = dialog.getByRole('row', { name: 'Charged now' }).getByRole('cell');
  await expect(cell).toHaveText(/^\$5,33\d\.\d\d$/);
  const charged = (await cell.textContent()) ?? '';
  await dialog.getByRole('button', { name: `Pay ${charged} and change` }).click();
  await expect(page.getByText('Your plan is now Professional, annual.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Invoices' }).getByRole('row').nth(1)).toContainText(charged);
  await expect(page.getByText('$7,129.00 on')).toBeVisible();
  await page.goto('/admin/team');
  await expect(page.getByRole('button', { name: 'Invite several people' })).toBeEnabled();

  await page.goto('/admin/settings/billing');
  await page.getByRole('button', { name: 'Choose Basic, annual' }).click();
  await expect(dialog).toContainText('Nothing is charged today.');
  await dialog.getByRole('button', { name: /^Change on / }).click();
  await expect(page.getByText('From then on it is Basic, annual.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep Professional' }).click();
  await dialog.getByRole('button', { name: 'Keep Professional' }).click();
  await expect(page.getByText('From then on it is Basic, annual.')).toBeHidden();

  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await inspectBoth(page);
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText(/^Canceled, ends on /)).toBeVisible();
  await expect(page.getByText('Nothing more is charged')).toBeVisible();
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await expect(dialog.getByRole('button', { name: 'Reactivate' })).toBeVisible();
  await inspectBoth(page);
  await dialog.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText('$7,129.00 on')).toBeVisible();
});

test('the portal leads there and back, and what was done there shows', async ({ page }) => {
  await subscribe(page, 'basic_annual');
  await page.goto('/admin/settings/billing');
  await page.getByRole('button', { name: 'Open the billing portal' }).click();
  await page.waitForURL(/\/p\/session\//);
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByRole('button', { name: 'Renew subscription' })).toBeVisible();
  await page.getByRole('link', { name: 'Return' }).click();
  await page.waitForURL('**/admin/settings/billing*');
  await expect(page.getByText(/^Your subscription ends on /)).toBeVisible();
});

test('what the plan does not have is locked, and full seats lead to the larger plan', async ({ page, app }) => {
  const { email, password } = await subscribe(page, 'basic_annual');
  const { idToken, user } = await createClient(app.url).call('signIn', { email, password });
  await confirmEmail(app, email);
  const client = createClient(app.url, idToken);
  const invite = (each: number) =>
    client.call('inviteUser', { email: `p${each}-${crypto.randomUUID()}@nordwind.example`, companyId: user.companyId });
  for (let each = 1; each < 10; each++) await invite(each);
  await page.goto('/admin/team');
  await expect(page.getByText('inviting many at once are part of the Professional plan')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite several people' })).toBeDisabled();
  await page.getByLabel('Email of the person to invite').fill('eleven@nordwind.example');
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await expect(page.getByRole('alert')).toContainText('All seats of your plan are used.');
  await page.getByRole('link', { name: 'Change to Professional (25 seats)' }).click();
  await page.waitForURL('**/admin/settings/billing');

  await page.getByRole('button', { name: 'Choose Professional, annual' }).click();
  await page.getByRole('button', { name: /^Pay \$\S+ and change$/ }).click();
  await expect(page.getByText('Your plan is now Professional, annual.')).toBeVisible();
  await invite(10);
  await page.getByRole('button', { name: 'Choose Basic, annual' }).click();
  const refusal = page.getByRole('dialog').getByRole('alert');
  await expect(refusal).toContainText('This plan has 10 seats, and your company uses 11.');
  await expect(refusal.getByRole('listitem')).toHaveCount(11);
});

test('a payment that fails: a banner with the way to pay, then no questions, and back again once it is paid', async ({
  page,
  app,
  browser,
}) => {
  const account = await subscribe(page, 'basic_semiannual', cards.failsLater);
  const { email, password } = await addMember(app, account);
  const context = await browser.newContext({ baseURL: app.url });
  const member = await context.newPage();
  await signIn(member, email, password);
  await member.waitForURL('**/chat');
  await member.goto('/pricing');
  await member.getByRole('button', { name: getStarted }).first().click();
  await expect(member.getByRole('alert')).toHaveText(
    'Only an admin of your company can choose a plan. Please ask your admin.',
  );

  const simulator = await simulatorOf(app);
  await simulator.advance(185);
  await page.goto('/admin/settings/billing');
  await expect(page.getByText('Payment overdue')).toBeVisible();
  await expect(page.getByText(/^\$1,794.00 could not be charged. Everything works until /)).toBeVisible();
  await page.goto('/chat');
  await expect(page.getByText('The last payment has failed')).toBeVisible();
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeEnabled();
  await member.goto('/chat');
  await expect(member.getByPlaceholder(textAt('chat.placeholder'))).toBeEnabled();
  await expect(member.getByText('The last payment has failed')).toBeHidden();

  await simulator.advance(15);
  await member.getByPlaceholder(textAt('chat.placeholder')).fill('What may a hotel cost?');
  await member.keyboard.press('Enter');
  await expect(member.getByText('Please ask your admin.')).toBeVisible();
  await expect(member.getByPlaceholder(textAt('chat.placeholder'))).toHaveCount(0);
  await member.goto('/profile');
  await expect(member.getByRole('heading', { name: 'A payment is missing' })).toBeVisible();
  await expect(member.getByText('Please ask your admin.')).toBeVisible();
  await member.getByRole('link', { name: textAt('success.goToApp') }).click();
  await page.goto('/admin/dashboard');
  await expect(page.getByText('Asking, uploading and inviting are paused')).toBeVisible();
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await expect(page.getByText('Files can be uploaded again as soon as it is settled.')).toBeVisible();
  await page.getByRole('dialog').getByRole('link', { name: 'Settle the payment' }).click();
  // So late that the chat is open before the app knows of the payment: it opens by itself then.
  await simulator.tellLate(3000);
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Pay the open invoice' }).click();
  const invoice = await opening;
  await pay(invoice, cards.pays);
  await expect(invoice.getByText(': paid')).toBeVisible();
  await invoice.close();
  await page.goto('/chat');
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeEnabled();
  await expect(member.getByPlaceholder(textAt('chat.placeholder'))).toBeEnabled();
  await context.close();
});

test('a plan that was given says that the subscription from before is still charged, and it can be cancelled', async ({
  page,
  app,
}) => {
  const account = await subscribe(page, 'professional_annual');
  const { user } = await createClient(app.url).call('signIn', account);
  await app.company('set-plan', user.companyId, 'enterprise');
  await page.goto('/admin/settings/billing');
  await expect(page.getByText('Enterprise', { exact: true })).toBeVisible();
  await expect(page.getByText('The subscription from before is still charged until you cancel it.')).toBeVisible();
  await expect(page.getByText('$7,129.00 on')).toBeVisible();
  await expect(page.getByText('per year')).toBeHidden();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('You keep the Enterprise plan that your company was given.');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText('Active, nothing is charged')).toBeVisible();
});

test('the plans to choose from have room beside the sidebar', async ({ page }) => {
  await subscribe(page, 'professional_annual');
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto('/admin/settings/billing');
  const words = page.getByRole('button', { name: /^Choose / }).locator('span');
  await expect(words.first()).toBeVisible();
  const cut = await words.evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(cut).toEqual([]);
});
