import { inspectBoth } from './inspect.ts';
import { refuse, remove } from './people.ts';
import { expect, sees, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

test('removing asks, names the person, and ends their session at once', async ({ admin: { page }, member }) => {
  await page.goto('/admin/dashboard');
  await page.getByPlaceholder(textAt('team.search')).fill('MEMBER-');
  await page.getByRole('button', { name: `Remove ${member.email}` }).click();
  const question = page.getByRole('dialog', { name: 'Remove this person?' });
  await expect(question).toContainText(member.email);
  await expect(question).toContainText('permanent');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('row', { name: member.email })).toBeVisible();
  await remove(page, member.email);
  await sees(page.getByRole('alert'), 'team.removed');
  await expect(page.getByRole('row', { name: member.email })).toHaveCount(0);
  // Without their doing anything.
  await member.page.waitForURL('**/login');
  await signIn(member.page, member.email, member.password);
  await sees(member.page, 'login.failed');
});

test('a sign-in of long ago is confirmed by the password before somebody is removed', async ({ admin, member }) => {
  const { page } = admin;
  await page.goto('/admin/dashboard');
  // As the server answers 15 minutes after the sign-in.
  await page.route(
    '**/v1/deleteUser',
    (route) => route.fulfill(refuse('FAILED_PRECONDITION', 'Please confirm your password.', 'recent-sign-in-required')),
    { times: 2 },
  );
  await remove(page, member.email);
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row', { name: member.email })).toBeVisible();

  await remove(page, member.email);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toContainText('Please enter your password.');
  await dialog.getByLabel('Password').fill('not the right one');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('This is not your password.');
  await dialog.getByLabel('Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await sees(page.getByRole('alert'), 'team.removed');
  await expect(page.getByRole('row', { name: member.email })).toHaveCount(0);
});

test('a role changes at once, also on the screen of the person', async ({ admin: { page, email }, member }) => {
  await page.goto('/admin/team');
  await expect(page.getByText('Unlimited seats')).toBeVisible();
  const role = page.getByRole('combobox', { name: `Role of ${member.email}` });
  await role.selectOption(textAt('chat.admin'));
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(role).toHaveValue('admin');
  const theirs = member.page;
  await theirs.getByRole('link', { name: textAt('chat.admin') }).click();
  await theirs.waitForURL('**/admin/dashboard');
  await expect(theirs.getByRole('row', { name: email })).toBeVisible();

  // One's own is given up only after a question: nobody can take it back.
  const own = page.getByRole('combobox', { name: `Role of ${email}` });
  await own.selectOption(textAt('chat.member'));
  const giveUp = page.getByRole('dialog', { name: 'Give up your admin role?' });
  await expect(giveUp.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await inspectBoth(page);
  await page.keyboard.press('Enter');
  await expect(giveUp).toHaveCount(0);
  await expect(own).toHaveValue('admin');

  await role.selectOption(textAt('chat.member'));
  await expect(role).toHaveValue('member');
  await theirs.waitForURL('**/chat');
  await expect(theirs.getByRole('link', { name: textAt('chat.admin') })).toHaveCount(0);
});

test('two tabs of one person live and end together', async ({ admin: { page } }) => {
  const other = await page.context().newPage();
  await other.goto('/admin/team');
  await expect(other.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
  await Promise.all([page.reload(), other.reload()]);
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeVisible();
  await expect(other.getByText('Unlimited seats')).toBeVisible();
  await page.getByRole('button', { name: textAt('admin.logout') }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login');
  await other.close();
});

test('by keyboard alone, on a phone', async ({ admin: { page }, member }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin/team');
  const button = page.getByRole('button', { name: `Remove ${member.email}` });
  await expect(button).toBeVisible();
  for (let presses = 0; presses < 40; presses++) {
    if (await button.evaluate((each) => each === each.ownerDocument.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove this person?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await sees(page.getByRole('alert'), 'team.removed');
});
