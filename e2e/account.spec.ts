import { inspect, widths } from './inspect.ts';
import { linkIn, mailTo, signInMailTo } from './outbox.ts';
import { addMember, expect, logOut, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

test('an invited person says what to be called with the first password', async ({ admin, app, page, browser }) => {
  const email = `lea-${crypto.randomUUID()}@nordwind.example`;
  const { companyId } = (await admin.client.call('getSession', null)).user;
  await admin.client.call('inviteUser', { email, companyId });
  const context = await browser.newContext({ baseURL: app.url });
  const invited = await context.newPage();
  await invited.goto(linkIn(await mailTo(app, email)));
  await invited.getByLabel('Your name').fill('Léa Sommer');
  await invited.getByLabel('New password').fill('seven quiet boats at noon');
  await invited.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await signIn(invited, email, 'seven quiet boats at noon');
  await invited.waitForURL('**/chat');
  await expect(invited.getByRole('banner')).toContainText('Léa Sommer');
  await expect(invited.getByRole('log')).toContainText('Welcome, Léa Sommer.');
  await context.close();
  await expect(page.getByRole('banner')).toContainText(admin.email);
});

test('the account: a name, and another password that ends every other session', async ({ admin, app, browser }) => {
  const { page, email, password } = admin;
  const other = await addMember(app, admin);
  const context = await browser.newContext({ baseURL: app.url });
  const elsewhere = await context.newPage();
  await signIn(elsewhere, email, password);
  await elsewhere.waitForURL('**/chat');

  await page.getByRole('button', { name: email }).click();
  const dialog = page.getByRole('dialog', { name: 'Your account' });
  await dialog.getByLabel('Your name').fill('Mara Lindqvist');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await expect(dialog.getByText('Your name is saved.')).toBeVisible();

  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('Please enter your password.')).toBeVisible();
  await dialog.getByLabel('Current password').fill('not the right one');
  const chosen = dialog.getByLabel('New password');
  await chosen.fill('a lantern for the last ferry');
  await expect(chosen).toHaveAttribute('type', 'password');
  await dialog.getByRole('button', { name: 'Show what is typed' }).last().click();
  await expect(chosen).toHaveAttribute('type', 'text');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('Your password is changed.')).toBeVisible();
  await elsewhere.waitForURL('**/login');
  await context.close();

  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('banner')).toContainText('Mara Lindqvist');
  await page.getByRole('link', { name: textAt('chat.admin') }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Mara Lindqvist' })).toBeVisible();
  await expect(page.getByRole('row', { name: other.email })).toBeVisible();
  await logOut(page);
  await signIn(page, email, 'a lantern for the last ferry');
  await page.waitForURL('**/chat');
});

for (const width of widths) {
  test(`everybody can use it at ${width} px`, async ({ admin: { page } }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/admin/dashboard');
    await page.getByRole('button', { name: 'Your account' }).click();
    await expect(page.getByRole('dialog', { name: 'Your account' })).toBeVisible();
    await inspect(page);
  });
}

test('sessions: where one is signed in, one ended, all others ended, and mails about new ones switched off', async ({
  admin: { page, email, password },
  app,
  browser,
}) => {
  const signInElsewhere = async () => {
    const context = await browser.newContext({ baseURL: app.url });
    const elsewhere = await context.newPage();
    await signIn(elsewhere, email, password);
    await elsewhere.waitForURL('**/chat');
    return { context, elsewhere };
  };
  const one = await signInElsewhere();
  const told = await signInMailTo(app, email);
  expect(told.text).toContain('Chrome on Linux');
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Sign-in and security' }).click();
  await expect(page).toHaveURL(/\/account\/security$/);
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('This browser');
  await expect(rows.first()).toContainText('Chrome on Linux');
  const end = rows.nth(1).getByRole('button', { name: /^Sign out Chrome on Linux/ });
  await end.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(1);
  await one.elsewhere.waitForURL('**/login');

  const more = [await signInElsewhere(), await signInElsewhere()];
  await page.reload();
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(rows).toHaveCount(1);
  for (const { elsewhere } of more) await elsewhere.waitForURL('**/login');
  const mails = page.getByLabel('When somebody signs in to my account in a new browser');
  await expect(mails).toBeChecked();
  await mails.click();
  await expect(mails).not.toBeChecked();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(mails).not.toBeChecked();
  for (const { context } of [one, ...more]) await context.close();
});

test('where the company wants it, a page that nobody touches signs out and says why', async ({ admin }) => {
  const { page, client } = admin;
  await client.call('setSessionDays', { idleMinutes: 15 });
  await page.clock.install();
  await page.goto('/account/security');
  await expect(page.getByText('This browser')).toBeVisible();
  await page.clock.fastForward('14:00');
  await page.keyboard.press('Shift');
  await page.clock.fastForward('14:00');
  await expect(page.getByRole('heading', { name: 'Sign-in and security' })).toBeVisible();
  await page.clock.fastForward('02:00');
  await page.waitForURL('**/login');
  await expect(page.getByText('nothing happened here for a while')).toBeVisible();
});

for (const width of widths) {
  test(`sessions can be used by everybody at ${width} px`, async ({ admin: { page } }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/account/security');
    await expect(page.getByText('This browser')).toBeVisible();
    await inspect(page);
  });
}

test('whoever would rather not confirm the password sets up no app, and is told of no failure', async ({
  admin: { page },
}) => {
  const error = { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'recent-sign-in-required' } };
  await page.route('**/v1/beginSecondFactor', (route) => route.fulfill({ status: 400, json: { error } }));
  await page.goto('/account/security');
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' });
  await setUp.click();
  const question = page.getByRole('dialog', { name: 'Confirm your password' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(setUp).toBeFocused();
});
