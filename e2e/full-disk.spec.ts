import { expect, test } from './test.ts';

// More than any disk has.
test.use({ settings: { MIN_FREE_DISK_MB: '1000000000' } });

test('an admin is told in plain words that the disk is nearly full', async ({ admin: { page }, member }) => {
  for (const path of ['/admin/dashboard', '/admin/documents']) {
    await page.goto(path);
    await expect(page.getByRole('alert')).toContainText('Nothing can be uploaded right now');
  }
  await member.page.goto('/chat');
  await expect(member.page.getByRole('alert')).toHaveCount(0);
});
