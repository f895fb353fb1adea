import { linkIn, mailTo } from './outbox.ts';
import { refuse, remove } from './people.ts';
import { expect, sees, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

test('the next address that is typed while an invitation is sent stays', async ({ admin: { page } }) => {
  await page.goto('/admin/dashboard');
  const input = page.getByLabel('Email of the person to invite');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/inviteUser', async (route) => {
    await held.promise;
    await route.continue();
  });
  const first = `lea-${crypto.randomUUID()}@nordwind.example`;
  const next = `mia-${crypto.randomUUID()}@nordwind.example`;
  await input.fill(first);
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await sees(page, 'team.sending');
  await input.fill(next);
  held.resolve();
  await expect(page.getByRole('row', { name: first })).toContainText('Invited today');
  await expect(input).toHaveValue(next);
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await expect(page.getByRole('row', { name: next })).toContainText('Invited today');
  await expect(input).toHaveValue('');
});

test('invited, a person chooses a password, signs in, and is a member', async ({ admin, app, page, browser }) => {
  const email = `lea-${crypto.randomUUID()}@nordwind.example`;
  await page.goto('/admin/dashboard');
  const input = page.getByLabel('Email of the person to invite');
  await sees(page, 'team.sendInvite');
  for (const wrong of ['', '   ', 'lea', 'lea@nordwind']) {
    await input.fill(wrong);
    await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
    await sees(page, 'team.invalidEmail');
  }
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/inviteUser', async (route) => {
    await held.promise;
    await route.continue();
  });
  await input.fill(email);
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await sees(page, 'team.sending');
  held.resolve();
  const row = page.getByRole('row', { name: email });
  await expect(row).toContainText('Invited today');
  await expect(row).toContainText(textAt('chat.member'));
  await expect(input).toHaveValue('');

  const context = await browser.newContext({ baseURL: app.url });
  const invited = await context.newPage();
  await invited.goto(linkIn(await mailTo(app, email)));
  await expect(invited.getByText('You are invited')).toContainText(email);
  await invited.getByLabel('New password').fill('seven quiet boats at noon');
  await invited.getByRole('button', { name: textAt('login.saveNewPassword') }).click();
  await sees(invited, 'login.resetSucceeded');
  await signIn(invited, email, 'seven quiet boats at noon');
  await invited.waitForURL('**/chat');
  await sees(invited.getByRole('banner'), 'chat.member');
  await expect(invited.getByRole('link', { name: textAt('chat.admin') })).toHaveCount(0);
  await invited.goto('/admin/team');
  await invited.waitForURL('**/chat');
  await context.close();

  await page.reload();
  await expect(row).toBeVisible();
  await expect(row).not.toContainText('Invited');
  await page.getByLabel('Email of the person to invite').fill(admin.email);
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await sees(page, 'team.inviteFailedWith', 'This person is already in your company.');
});

test('what can go wrong when inviting and removing is said', async ({ admin: { page, email }, member }) => {
  await page.goto('/admin/dashboard');
  const row = page.getByRole('row', { name: member.email });
  await page.route('**/v1/inviteUser', (route) => route.fulfill(refuse('INTERNAL', 'INTERNAL')));
  await page.getByLabel('Email of the person to invite').fill('lea@nordwind.example');
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await sees(page, 'team.inviteFailed');
  await page.route('**/v1/inviteUser', (route) =>
    route.fulfill(refuse('FAILED_PRECONDITION', 'All seats of your plan are used.', 'seats-used-up')),
  );
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  await sees(page, 'team.inviteFailedWith', 'All seats of your plan are used.');
  await expect(page.getByRole('link', { name: 'See the plans' })).toBeVisible();

  await expect(page.getByRole('button', { name: `Remove ${email}` })).toBeDisabled();
  await page.route('**/v1/deleteUser', (route) => route.fulfill(refuse('INTERNAL', 'INTERNAL')));
  await remove(page, member.email);
  await sees(page.getByRole('alert'), 'team.removeFailed');
  await page.route('**/v1/deleteUser', (route) => route.fulfill(refuse('UNAVAILABLE', 'The service rests.')));
  await remove(page, member.email);
  await sees(page.getByRole('alert'), 'team.removeFailedWith', 'The service rests.');
  await expect(row).toBeVisible();
});

test('invitations: sent again, withdrawn', async ({ admin: { page }, app }) => {
  const email = `noor-${crypto.randomUUID()}@nordwind.example`;
  await page.goto('/admin/team');
  await page.getByLabel('Email of the person to invite').fill(email);
  await page.getByRole('combobox', { name: 'Role of the person to invite' }).selectOption(textAt('chat.admin'));
  await page.getByRole('button', { name: textAt('team.sendInvite') }).click();
  const row = page.getByRole('table', { name: 'Invitations' }).getByRole('row', { name: email });
  await expect(row).toContainText('Expires');
  await expect(row).toContainText(textAt('chat.admin'));
  const first = linkIn(await mailTo(app, email));
  await row.getByRole('button', { name: 'Resend' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  const second = linkIn(await mailTo(app, email, 2));
  expect(second).not.toBe(first);

  await row.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw this invitation?' });
  await expect(question).toContainText(email);
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('table', { name: 'Invitations' })).toHaveCount(0);
  for (const link of [first, second]) {
    await page.goto(link);
    await sees(page, 'login.invalidResetLink');
  }
});

test('a pasted list: what is recognised, and what became of each', async ({ admin: { page, email }, app }) => {
  const [ann, bo] = [`ann-${crypto.randomUUID()}@nordwind.example`, `bo-${crypto.randomUUID()}@nordwind.example`];
  await page.goto('/admin/team');
  await page.getByRole('button', { name: 'Invite several people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite several people' });
  await dialog.getByRole('button', { name: /^Send 0/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please paste at least one email address.');
  await dialog
    .getByRole('textbox', { name: 'Email addresses' })
    .fill(`"Lee, Ann" <${ann}>; ${bo}, ${bo.toUpperCase()}\nnobody, ${email}\nhalf@nordwind`);
  const preview = dialog.getByLabel('What was recognised');
  await expect(preview.locator('div')).toHaveText([
    /^Not recognised 2\s*nobody\s*half@nordwind$/,
    new RegExp(`^To invite 2\\s*${ann}\\s*${bo}$`),
    new RegExp(`^In the list more than once, invited once 1\\s*${bo}$`),
    new RegExp(`^Already in your team 1\\s*${email}$`),
  ]);
  await dialog.getByRole('button', { name: 'Send 2 invitations' }).click();
  const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(results).toHaveCount(2);
  await expect(dialog).toContainText('2 invitations are on their way.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  for (const address of [ann, bo]) {
    await expect(page.getByRole('row', { name: address })).toContainText('Expires');
    await mailTo(app, address);
  }
});

test('seats and what the plan does not have: shown, locked, with the plan that has it', async ({
  admin: { page },
  member,
}) => {
  const plan = { seats: 10, features: ['ask', 'upload', 'invite', 'basic-analytics'] };
  await page.route('**/v1/getSession', async (route) => {
    const { result } = await (await route.fetch()).json();
    await route.fulfill({ json: { result: { ...result, entitlements: { ...result.entitlements, ...plan } } } });
  });
  await page.goto('/admin/team');
  await expect(page.getByText('2 of 10 seats')).toBeVisible();
  await expect(page.getByText('inviting many at once are part of the Professional plan')).toBeVisible();
  await expect(page.getByText('and groups, are part of the Professional plan')).toBeVisible();
  await expect(page.getByRole('combobox', { name: `Role of ${member.email}` })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Invite several people' })).toBeDisabled();
  await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toHaveCount(0);
  await expect(page.getByText('All seats of your plan are taken')).toHaveCount(0);
  plan.seats = 2;
  await page.reload();
  await expect(page.getByText('2 of 2 seats')).toBeVisible();
  await expect(page.getByText('All seats of your plan are taken')).toBeVisible();
  await page.getByRole('link', { name: /^Change to / }).click();
  await page.waitForURL('**/pricing');
});
