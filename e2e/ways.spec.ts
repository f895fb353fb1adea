/// <reference lib="dom" />
import { expect, test } from './test.ts';
import { pressOne, walk } from './ways.ts';

// Each presses some eighty buttons, and loads the page anew after most.
test.describe.configure({ timeout: 600_000 });

/** Every address that an admin can come to from the chat. */
const adminsPaths = [
  '/chat',
  '/admin/dashboard',
  '/admin/documents',
  '/admin/team',
  '/admin/analytics',
  '/admin/chat-agent',
  ...['company', 'billing', 'branding', 'security', 'notifications', 'data', 'audit'].map(
    (each) => `/admin/settings/${each}`,
  ),
];

test('where nothing is paid, no link and no button leads an admin to nothing', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Staff handbook.docx');
  await client.call('query', { history: [{ role: 'user', parts: [{ text: 'Who waters the plants?' }] }] });
  const [file] = await client.call('getCompanyFiles', null);
  const reached = await walk(page, ['/chat', '/profile', `/documents/${file?.id}/1`], new Set());
  expect([...reached]).toEqual(expect.arrayContaining(adminsPaths));
});

test('nor a member', async ({ admin: { client }, member: { page }, uploaded }) => {
  await uploaded('Staff handbook.docx');
  const [file] = await client.call('getCompanyFiles', null);
  const reached = await walk(page, ['/chat', '/profile', `/documents/${file?.id}/1`], new Set());
  expect([...reached].filter((path) => path.startsWith('/admin'))).toEqual([]);
});

test('a button of which nothing comes is found out', async ({ admin: { page } }) => {
  await page.goto('/admin/team');
  await expect(page.getByRole('table', { name: 'Team members' })).toContainText('@');
  await page.evaluate(() => {
    const dead = document.createElement('button');
    dead.textContent = 'Promise';
    document.querySelector('main')?.append(dead);
  });
  await expect(pressOne(page, { name: 'Promise' }, '/admin/team', 1000)).rejects.toThrow('nothing comes of "Promise"');
});
