/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { changed, checklist, chooseFiles } from './choose-files.ts';
import { inspect } from './inspect.ts';
import { drawn } from './still.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

test('of thirty files one fails: that is said once, in the window or, where it is closed, over the page', async ({
  admin: { page },
}) => {
  await page.setViewportSize({ width: 390, height: 860 });
  await page.goto('/admin/documents');
  const held = await failing(page, 'Unlucky.txt');
  held.begin.resolve();
  await chooseFiles(page, notes(29, 'Unlucky.txt'));
  await page.getByRole('button', { name: 'Upload 30 file(s)' }).click();
  const dialog = page.getByRole('dialog');
  // Of what is behind the window no roles are told.
  const said = page.getByText(textAt('documents.uploadFailed'));
  await expect(dialog.getByText('The service rests.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveText(textAt('documents.uploadFailed'));
  // Neither waited for: what stands over the page comes a moment later, and goes by itself.
  await drawn(page);
  expect(await said.count()).toBe(1);

  held.begin = Promise.withResolvers<void>();
  await dialog.getByRole('button', { name: 'Retry Unlucky.txt' }).click();
  await expect(dialog.getByText(textAt('documents.uploading'))).toBeVisible();
  expect(await said.count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  held.begin.resolve();
  await expect(page.getByRole('alert').filter({ hasText: 'Unlucky.txt' })).toContainText(
    textAt('documents.uploadFailed'),
  );
});

test('on a phone what several files failed of is told without being cut off', async ({ admin: { page } }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/admin/documents');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/uploads', async (route) => {
    await held.promise;
    await route.continue();
  });
  const program = { mimeType: 'text/plain', buffer: Buffer.from('MZ\u0090\u0000\u0003\u0000') };
  await chooseFiles(
    page,
    [1, 2, 3, 4].map((n) => ({ name: `Broken ${n}.txt`, ...program })),
  );
  await page.getByRole('button', { name: 'Upload 4 file(s)' }).click();
  await page.keyboard.press('Escape');
  held.resolve();
  const alert = page.getByRole('alert').filter({ hasText: 'Programs and scripts cannot be read.' });
  await expect(alert).toContainText('Broken 1.txt, Broken 2.txt and 2 more');
  expect(await alert.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0);
  await inspect(page);
});

test('what failed stays to be tried again while another file is replaced, and is not told as failed once more', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/documents');
  const held = await failing(page, 'Unlucky.txt');
  await chooseFiles(page, notes(0, 'Unlucky.txt'));
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await sees(page, 'documents.uploading');
  await page.keyboard.press('Escape');
  held.begin.resolve();
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray).toContainText('1 file was not uploaded');
  const failed = page.getByRole('alert').filter({ hasText: 'Unlucky.txt' });
  await failed.getByRole('button').click();
  await expect(failed).toHaveCount(0);

  await page.getByRole('button', { name: 'Replace Onboarding checklist.md' }).click();
  await page.getByLabel('New version').setInputFiles(changed(checklist));
  await sees(page, 'documents.uploaded');
  await expect(failed).toHaveCount(0);
  await expect(tray).toContainText('1 file was not uploaded');
  await tray.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Retry Unlucky.txt' })).toBeVisible();
});

for (const width of [1440, 800, 360])
  test(`at ${width} px a question is written and asked beside uploads that go on`, async ({ admin: { page } }) => {
    await page.setViewportSize({ width, height: 640 });
    await page.goto('/chat');
    await failing(page, 'Unlucky.txt');
    await page
      .getByRole('main')
      .getByRole('button', { name: textAt('documents.upload') })
      .click();
    await page.getByLabel('Files to upload').setInputFiles(notes(0, 'Unlucky.txt'));
    await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const tray = page.getByRole('region', { name: 'Uploads' });
    await expect(tray).toContainText(textAt('documents.uploading'));
    const field = page.getByPlaceholder(textAt('chat.placeholder'));
    const send = page.getByRole('button', { name: 'Send' });
    for (const text of ['Who?', 'Who may bring a dog?\n'.repeat(12)]) {
      await field.fill(text);
      await apart(tray, [field, send, page.getByRole('button', { name: 'Filters' })]);
      await inspect(page);
    }
    await send.click();
    await expect(page.getByRole('log')).toContainText('Who may bring a dog?');
  });

for (const [width, height] of [
  [800, 640],
  [360, 640],
  [360, 320],
] as const)
  test(`at ${width} by ${height} px the end of a page can be read beside uploads that go on`, async ({ admin }) => {
    const { page, client } = admin;
    for (const { name, buffer } of notes(3, 'First.txt')) await client.upload(`Read ${name}`, buffer);
    await client.filesWhenRead();
    await page.setViewportSize({ width, height });
    await page.goto('/admin/documents');
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/uploads', async (route) => {
      await held.promise;
      await route.abort();
    });
    await chooseFiles(page, notes(4, 'Held.txt'));
    await page.getByRole('button', { name: 'Upload 5 file(s)' }).click();
    await page.keyboard.press('Escape');
    const tray = page.getByRole('region', { name: 'Uploads' });
    await expect(tray.getByRole('progressbar')).toHaveCount(3);
    await expect(tray).toBeInViewport({ ratio: 1 });
    const last = page.getByRole('main').getByRole('row').last();
    await expect(last).toContainText('Read ');
    await last.evaluate((row) => {
      // Within the table, and then the page.
      row.scrollIntoView();
      window.scrollTo(0, document.documentElement.scrollHeight);
    });
    await apart(tray, [last]);
    await inspect(page);
    await tray.getByRole('button', { name: 'Cancel' }).click();
    await expect(tray).toHaveCount(0);
    held.resolve();
  });

/** Asserts that one of these lies over none of the others. */
async function apart(one: Locator, others: readonly Locator[]) {
  for (const other of others)
    await expect(async () => {
      const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
      if (!a || !b) throw new Error('there is nothing to look at');
      expect(a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x).toBe(true);
    }).toPass({ timeout: 10_000 });
}

/** A small file of this name, and so many others. */
function notes(count: number, first: string) {
  const names = [first, ...Array.from({ length: count }, (_, nth) => `Note ${nth}.txt`)];
  return names.map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${name}: the crane is inspected every March.`),
  }));
}

/** From now on the file of this name is not taken, once `begin` is through. */
async function failing(page: Page, name: string) {
  const held = { begin: Promise.withResolvers<void>() };
  await page.route('**/v1/uploads', async (route) => {
    const metadata = route.request().headers()['upload-metadata'] ?? '';
    if (!metadata.includes(btoa(name))) return route.continue();
    await held.begin.promise;
    await route.fulfill({
      status: 403,
      json: { error: { status: 'PERMISSION_DENIED', code: 'permission-denied', message: 'The service rests.' } },
    });
  });
  return held;
}
