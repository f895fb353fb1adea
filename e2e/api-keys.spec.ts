import { createClient } from '#client/client.ts';
import { inspect, inspectBoth, widths } from './inspect.ts';
import { expect, test } from './test.ts';

test('a key of the company is made by the keyboard, shown once, used, and revoked', async ({ admin, app }) => {
  const { page, client } = admin;
  const { collectionId } = await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await client.upload('Crane.md', Buffer.from('# Crane\n\nThe crane was bought in May.\n'), 'replace', collectionId);
  await client.filesWhenRead();
  await page.goto('/admin/settings/api-keys');
  const section = page.getByRole('region', { name: 'API keys', exact: true });
  await expect(section.getByText('There are no keys yet.')).toBeVisible();

  await section.getByRole('button', { name: 'Create a key' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please enter a name.')).toBeVisible();
  await page.keyboard.type('Nightly script');
  await dialog.getByLabel('Only those chosen here').check();
  await dialog.getByLabel('Board').check();
  await inspectBoth(page);
  await dialog.getByLabel('Name').focus();
  await page.keyboard.press('Enter');

  const made = page.getByRole('dialog', { name: 'Your new key' });
  await expect(made.getByText('It is not shown again.')).toBeVisible();
  const key = await made.getByLabel('API key').inputValue();
  expect(key).toMatch(/^fn_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  await inspectBoth(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect(made.getByRole('button', { name: 'Copy', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(made.getByText('Copied.', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await made.getByRole('button', { name: 'I have copied it' }).click();
  await expect(made).toBeHidden();
  expect(await page.content()).not.toContain(key);

  const byKey = createClient(app.url, key);
  const { passages } = await byKey.call('searchPassages', { query: 'When was the crane bought?' });
  expect(passages.map(({ name }) => name)).toEqual(['Crane.md']);
  await page.reload();
  const row = section.getByRole('listitem').filter({ hasText: 'Nightly script' });
  await expect(row).toContainText('Read · Member · 1 collection');
  await expect(row).toContainText('Last used');
  await page.goto('/admin/analytics');
  await expect(page.getByRole('table', { name: 'API keys by questions' }).getByText('Nightly script')).toBeVisible();

  await page.goto('/admin/settings/api-keys');
  await row.getByRole('button', { name: 'Revoke Nightly script' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(section.getByText('There are no keys yet.')).toBeVisible();
  await expect(byKey.call('searchPassages', { query: 'crane' })).rejects.toMatchObject({ code: 'invalid-api-key' });
});

test('a member makes a key of their own, which admins see and can revoke', async ({ admin, member, app }) => {
  const { page } = member;
  await page.goto('/account/security');
  const section = page.getByRole('region', { name: 'API keys', exact: true });
  await section.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill('My script');
  await expect(dialog.getByLabel('After 90 days')).toBeChecked();
  await expect(dialog.getByLabel('Never')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  const made = page.getByRole('dialog', { name: 'Your new key' });
  const key = await made.getByLabel('API key').inputValue();
  await made.getByRole('button', { name: 'I have copied it' }).click();
  await expect(section.getByRole('listitem').filter({ hasText: 'My script' })).toContainText('Never used.');
  await createClient(app.url, key).call('getCompanyFiles', null);

  await admin.page.goto('/admin/settings/api-keys');
  const ofPeople = admin.page.getByRole('region', { name: 'Keys of people' });
  await expect(ofPeople.getByRole('listitem')).toContainText(member.email);
  await ofPeople.getByRole('button', { name: 'Revoke My script' }).click();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(ofPeople).toHaveCount(0);
  await expect(createClient(app.url, key).call('getCompanyFiles', null)).rejects.toMatchObject({
    code: 'invalid-api-key',
  });
});

test('Esc at the question for the password closes it alone: what was chosen for the key stays', async ({ admin }) => {
  const { page } = admin;
  await page.route(
    '**/v1/createApiKey',
    (route) => {
      const error = { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'recent-sign-in-required' } };
      return route.fulfill({ status: 400, json: { error } });
    },
    { times: 1 },
  );
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill('My script');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(question.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expect(dialog.getByLabel('Name')).toHaveValue('My script');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

for (const width of widths) {
  test(`keys can be read by everybody at ${width} px`, async ({ admin: { page, client } }) => {
    const input = { scope: 'write', expiresInDays: null } as const;
    await client.call('createApiKey', { ...input, name: 'Import of the old archive', kind: 'company', role: 'admin' });
    await client.call('createApiKey', { ...input, name: 'Mine', kind: 'personal' });
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/admin/settings/api-keys', '/account/security']) {
      await page.goto(path);
      await expect(page.getByText('Never ends.').first()).toBeVisible();
      await inspect(page);
    }
  });
}
