import type { Locator, Page } from '@playwright/test';
import { inspectBoth, noViolations } from './inspect.ts';
import { expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** What can be used where it is usually looked at has tests beside what it does; here are the states in between. */

const refused = 'Please ask somebody else.';

/** What each page says of what it could not get. */
const failures: [path: string, says: string][] = [
  ['/chat', textAt('chat.fileListFailed')],
  ['/account/security', refused],
  ['/account/data', refused],
  ['/documents/01981c5e-0000-7000-8000-000000000000/1', refused],
  ['/admin/dashboard', textAt('admin.loadFailed')],
  ['/admin/collections', refused],
  ['/admin/collections/01981c5e-0000-7000-8000-000000000000', refused],
  ['/admin/team', textAt('admin.loadFailed')],
  ['/admin/analytics', refused],
  ['/admin/settings/billing', refused],
  ['/admin/settings/api-keys', refused],
  ['/admin/settings/webhooks', refused],
  ['/admin/settings/audit', refused],
];

test('everybody can use what is still on its way, and what could not be loaded', async ({ admin: { page } }) => {
  let held = Promise.withResolvers<void>();
  await page.route('**/v1/*', async (route) => {
    if (/\/(getSession|refreshSession|getSettings)$/.test(route.request().url())) return route.continue();
    await held.promise;
    const error = { status: 'PERMISSION_DENIED', message: refused, details: { code: 'permission-denied' } };
    await route.fulfill({ status: 403, json: { error } }).catch(() => {});
  });
  for (const [path, says] of failures) {
    held = Promise.withResolvers<void>();
    await page.goto(path);
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /Loading/, visible: true })
        .first(),
    ).toBeVisible();
    // Which page it will be its heading says, once that is known.
    await inspectBoth(page, { without: ['page-has-heading-one'] });
    held.resolve();
    await expect(page.getByText(says).filter({ visible: true }).first()).toBeVisible();
    await inspectBoth(page);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a choice that could not be loaded does not look as if there were nothing to choose', async ({
  admin: { page, client },
}) => {
  const board = await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await client.call('createGroup', { name: 'Directors', userIds: [] });
  const error = { status: 'PERMISSION_DENIED', message: refused, details: { code: 'permission-denied' } };
  const refuse = (call: string) =>
    page.route(`**/v1/${call}`, (route) => route.fulfill({ status: 403, json: { error } }));
  const isTold = (scope: Page | Locator) => expect(scope.getByRole('alert').filter({ hasText: refused })).toBeVisible();
  const comesAgain = async (scope: Page | Locator, call: string) => {
    await page.unroute(`**/v1/${call}`);
    await scope.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(refused)).toHaveCount(0);
  };

  await refuse('listGroups');
  await page.goto('/admin/team');
  const groups = page.getByRole('region', { name: 'Groups' });
  await isTold(groups);
  await expect(page.getByText('There are no groups yet.')).toHaveCount(0);
  await inspectBoth(page);
  await comesAgain(groups, 'listGroups');
  await expect(groups.getByRole('row', { name: 'Directors' })).toBeVisible();

  await refuse('listGroups');
  await page.goto('/admin/collections');
  await page.getByRole('button', { name: 'New collection' }).click();
  const dialog = page.getByRole('dialog');
  await isTold(dialog);
  await expect(dialog.getByText('There are no groups yet.')).toHaveCount(0);
  await inspectBoth(page);
  await comesAgain(dialog, 'listGroups');
  await expect(dialog.getByLabel('Directors')).toBeVisible();

  await refuse('listCollections');
  await page.goto('/admin/documents');
  const library = page.getByRole('region', { name: 'All documents' });
  await isTold(library);
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await dialog
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'Crane.txt', mimeType: 'text/plain', buffer: Buffer.from('The crane has three arms.') });
  await isTold(dialog);
  await inspectBoth(page);
  await comesAgain(dialog, 'listCollections');
  await dialog.getByLabel('Collection').selectOption('Board');
  await expect(library.getByRole('alert')).toHaveCount(0);

  await refuse('listCollections');
  await page.goto(`/admin/analytics?collection=${board.collectionId}`);
  await isTold(page);
  await comesAgain(page, 'listCollections');
  await expect(page.getByLabel('Collection')).toHaveValue(board.collectionId);

  await refuse('listCollections');
  await page.goto('/admin/settings/webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await isTold(dialog);
  await inspectBoth(page);
  await comesAgain(dialog, 'listCollections');
  await expect(dialog.getByRole('group', { name: 'Which documents it is told of' })).toBeVisible();
});

test('everybody can use what opens over a page', async ({ admin: { page, client } }) => {
  await client.upload('Crane.txt', Buffer.from('The crane has two arms.'));
  await client.filesWhenRead();
  await page.goto('/admin/documents');
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  };
  await page.getByRole('button', { name: 'Add tags to Crane.txt' }).click();
  await expect(dialog.getByLabel('Tags, with commas between them')).toBeVisible();
  await inspectBoth(page);
  await close();
  await page.getByRole('button', { name: 'Delete Crane.txt' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await inspectBoth(page);
  await close();
  await page.getByRole('checkbox', { name: 'Select Crane.txt' }).check();
  await page.getByRole('region', { name: 'With the selected documents' }).getByRole('button', { name: 'Tag' }).click();
  await expect(dialog.getByLabel('Add tags, with commas between them')).toBeVisible();
  await inspectBoth(page);
  await close();
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'Crane.txt', mimeType: 'text/plain', buffer: Buffer.from('The crane has three arms.') });
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  const taken = page.getByRole('dialog', { name: 'Replace or keep both?' });
  await expect(taken).toBeVisible();
  await inspectBoth(page);
  await page.goto('/admin/team');
  await page.getByRole('button', { name: 'New group' }).click();
  await expect(dialog).toBeVisible();
  await inspectBoth(page);
  await close();
  await page.goto('/admin/settings/company');
  await page.getByRole('form', { name: 'Company' }).getByLabel('Company name').fill('Northwind');
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(dialog).toBeVisible();
  await inspectBoth(page);
  await page.goto('/chat');
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'Crane.txt' })).toBeVisible();
  await inspectBoth(page);
  await page.keyboard.insertText('nothing of that name');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await inspectBoth(page);
  await close();
  await page.getByRole('main').click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await inspectBoth(page);
  await close();
  await page.context().setOffline(true);
  await expect(page.getByRole('status', { name: 'Connection' })).toContainText('You’re offline.');
  await inspectBoth(page);
  await page.context().setOffline(false);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Files and questions' }).click();
  await expect(page.getByRole('dialog', { name: 'Files and questions' })).toBeVisible();
  await noViolations(page);
});
