import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '#client/client.ts';
import { inspect } from './inspect.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

test('the dashboard: its sections, columns and empty states', async ({ admin: { page, email } }) => {
  await page.goto('/admin');
  await page.waitForURL('**/admin/dashboard');
  for (const path of ['title', 'dashboard', 'analytics', 'chatAgent', 'logout'] as const)
    await sees(page, `admin.${path}`);
  for (const path of ['heading', 'upload', 'fileName', 'actions', 'filter', 'empty'] as const)
    await sees(page, `documents.${path}`);
  for (const path of ['heading', 'email', 'role', 'actions', 'search'] as const) await sees(page, `team.${path}`);
  const row = page.getByRole('row', { name: new RegExp(email) });
  await expect(row).toContainText('Admin');
  await page.getByPlaceholder(textAt('team.search')).fill('nobody-of-that-name');
  await expect(row).toHaveCount(0);
});

test('lists say that they load', async ({ admin: { page } }) => {
  const held = Promise.withResolvers<void>();
  for (const call of ['watchFiles', 'getCompanyFiles', 'listUsers']) {
    await page.route(`**/v1/${call}`, async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
  }
  await page.goto('/admin/dashboard');
  await sees(page, 'documents.loading');
  await sees(page, 'team.loading');
  held.resolve();
  await sees(page, 'documents.empty');
});

test('a list that is open in too many places says so, and follows again where it is wanted', async ({ admin }) => {
  const { page, client } = admin;
  // The list itself may come before it is followed.
  const followed = page.waitForResponse('**/v1/watchFiles');
  await page.goto('/chat');
  await followed;
  await sees(page, 'chat.noDocuments');
  // The page's is the oldest of one more than a person may have open.
  const open = Array.from({ length: 50 }, () => Promise.withResolvers<void>());
  for (const { resolve } of open) void client.stream('watchFiles', null, () => resolve()).catch(() => {});
  await Promise.all(open.map(({ promise }) => promise));
  const still = page.getByText('This list is open in too many places');
  await expect(still).toBeVisible();
  await inspect(page);
  await client.upload('Later.txt', Buffer.from('Later.'));
  await page.getByRole('button', { name: 'Follow it here' }).click();
  await expect(page.getByRole('button', { name: 'Later.txt', exact: true })).toBeVisible();
  await expect(still).toHaveCount(0);
  await client.upload('Last.txt', Buffer.from('Last.'));
  await expect(page.getByRole('button', { name: 'Last.txt', exact: true })).toBeVisible();
});

test('data that does not load is said in an alert', async ({ admin: { page } }) => {
  await page.route('**/v1/listUsers', (route) =>
    route.fulfill({ status: 403, json: { error: { status: 'PERMISSION_DENIED', message: 'no' } } }),
  );
  await page.goto('/admin/dashboard');
  await sees(page.getByRole('alert'), 'admin.loadFailed');
});

test('uploading: several files, one that can not be read, the filter, and deleting', async ({ admin: { page } }) => {
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await sees(page, 'documents.cancel');
  await page.getByRole('button', { name: 'Upload 0 file(s)' }).click();
  await sees(page, 'documents.selectFiles');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/uploads', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByLabel('Files to upload').setInputFiles([
    sample('Safety data sheet.txt'),
    sample('Onboarding checklist.md'),
    {
      name: 'Notes.txt',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('MZ\u0090\u0000\u0003\u0000\u0000\u0000'),
    },
  ]);
  await sees(page, 'documents.uploadCount', 3);
  await page.getByRole('button', { name: 'Upload 3 file(s)' }).click();
  await sees(page, 'documents.uploading');
  held.resolve();
  await sees(page, 'documents.uploadFailed');
  // What failed stays, with its reason; what went well is gone from the list.
  const list = page.getByRole('list', { name: 'Selected files' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list).toContainText('Programs and scripts cannot be read.');
  await expect(page.getByText('2 documents ready.')).toBeVisible();
  await inspect(page);
  // Sent as it is, it would be refused again.
  await expect(list.getByRole('progressbar')).toHaveCount(0);
  await expect(list.getByRole('button')).toHaveCount(1);
  await page.getByRole('button', { name: 'Upload 0 file(s)' }).click();
  await sees(page, 'documents.selectFiles');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(1);
  // The mended one comes in its place.
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      { ...sample('Safety data sheet.txt'), name: 'Notes.txt', buffer: Buffer.from('The crane has two arms.') },
    ]);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Safety data sheet\.txt/ })).toContainText('Ready');
  await expect(page.getByRole('row', { name: /Onboarding checklist\.md/ })).toContainText('Ready');

  await page.getByPlaceholder(textAt('documents.filter')).fill('SAFETY');
  await expect(page.getByRole('row', { name: /Onboarding/ })).toHaveCount(0);
  await page.route('**/v1/deleteFile', (route) =>
    route.fulfill({ status: 503, json: { error: { status: 'UNAVAILABLE', message: 'The service rests.' } } }),
  );
  await page.getByRole('button', { name: 'Delete Safety data sheet.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await sees(page, 'documents.deleteFailedWith', 'The service rests.');
});

test('an upload that somebody else is sending is a row, which can be cancelled', async ({
  admin: { page, email, password },
  app,
}) => {
  const { idToken } = await createClient(app.url).call('signIn', { email, password });
  const headers = { Authorization: `Bearer ${idToken}`, 'Tus-Resumable': '1.0.0' };
  await page.goto('/admin/dashboard');
  await sees(page, 'documents.empty');
  const begun = await fetch(`${app.url}/v1/uploads`, {
    method: 'POST',
    headers: { ...headers, 'Upload-Length': '8000', 'Upload-Metadata': `filename ${btoa('elsewhere.txt')}` },
  });
  await fetch(app.url + begun.headers.get('Location'), {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: 'x'.repeat(6000),
  });
  const row = page.getByRole('row', { name: /elsewhere\.txt/ });
  await expect(row).toContainText('Uploading');
  await expect(row.getByRole('progressbar', { name: 'Upload of elsewhere.txt' })).toHaveAttribute(
    'aria-valuenow',
    '75',
  );
  await expect(row.getByRole('button')).toHaveCount(1);
  await row.getByRole('button', { name: 'Cancel the upload of elsewhere.txt' }).click();
  await expect(row).toHaveCount(0);
  await page.reload();
  await sees(page, 'documents.empty');
});

function sample(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'text/plain', buffer: readFileSync(join('samples', 'files', name)) };
}
