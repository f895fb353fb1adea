import { expect, test } from './test.ts';

// A company with room for 100 kB.
test.use({ settings: { COMPANY_STORAGE_GB: '0.0001' } });

test('what is stored is a quiet line, and a file for which there is no room is told so in words', async ({
  admin: { page, client },
}) => {
  await client.upload('Notes.txt', Buffer.from(`${'A line of notes. '.repeat(5)}\n`.repeat(1100)));
  await page.goto('/admin/documents');
  await expect(page.getByText('95 kB of 100 kB used')).toBeVisible();
  await page.getByRole('button', { name: 'Upload' }).first().click();
  const file = { name: 'More.txt', mimeType: 'text/plain', buffer: Buffer.from('More of them.\n'.repeat(3000)) };
  await page.getByRole('dialog').getByLabel('Files to upload').setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await expect(
    page.getByText(/Your company uses 94\.6 kB of 100 kB, and this file needs 42 kB\./).first(),
  ).toBeVisible();
});
