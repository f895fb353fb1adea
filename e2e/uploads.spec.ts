/// <reference lib="dom" />
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { changed, checklist, chooseFiles, chooseInPage } from './choose-files.ts';
import { inspect, inspectBoth } from './inspect.ts';
import { drawn } from './still.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

/** Reading takes its time where much else goes on. */
const whenRead = { timeout: 120_000 };

test('a name that is taken: replace makes a new version, keep both a new name', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/documents');
  await chooseChanged(page, checklist);
  const question = page.getByRole('dialog', { name: 'Replace or keep both?' });
  await expect(question).toContainText('A file named Onboarding checklist.md is already there.');
  await question.getByRole('button', { name: 'Replace' }).click();
  // The version before it answers, and is listed, until this one is read.
  const rows = page.getByRole('row', { name: /Onboarding checklist\.md/ });
  await expect(rows.filter({ hasText: 'version 2' })).toContainText('Ready', whenRead);
  await expect(rows).toHaveCount(1);
  await chooseChanged(page, checklist);
  await question.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByRole('row', { name: /Onboarding checklist \(2\)\.md/ })).toContainText('Ready', whenRead);
});

test('several names that are taken are asked about at once; what is the same stays as it is', async ({
  admin: { page },
  uploaded,
}) => {
  const names = ['Onboarding checklist.md', 'Safety data sheet.txt', 'Staff handbook.docx'];
  await uploaded(...names);
  await page.goto('/admin/documents');
  await choose(page, ...names.map((name) => join('samples', 'files', name)));
  const question = page.getByRole('dialog', { name: 'Replace or keep both?' });
  const forAll = question.getByLabel('Do the same for the other 2 files');
  await forAll.check();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  // Asked anew, nothing is meant for all yet.
  await page.getByRole('button', { name: 'Upload 3 file(s)' }).click();
  await expect(forAll).not.toBeChecked();
  await forAll.check();
  await question.getByRole('button', { name: 'Replace' }).click();
  await sees(page, 'documents.uploaded');
  await expect(page.getByRole('alert').filter({ hasText: '3 were there already' })).toBeVisible();
  for (const name of names) {
    const rows = page.getByRole('row', { name: new RegExp(name) });
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('version 1');
  }
});

test('an upload goes on after a reload, once its file is chosen again', async ({ admin: { page } }) => {
  await page.goto('/admin/documents');
  await sees(page, 'documents.empty');
  const file = {
    name: 'Long notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`${'A line of notes. '.repeat(1000)}\n\n`.repeat(40)),
  };
  await page.route('**/v1/uploads/*', async (route) => {
    const offset = Number(route.request().headers()['upload-offset'] ?? 0);
    if (route.request().method() === 'PATCH' && offset > 0) await route.abort();
    else await route.continue();
  });
  // Chosen in the page itself: the runner gives every choice of a buffer another date.
  await chooseInPage(page, 'Files to upload', file);
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  const row = page.getByRole('row', { name: /Long notes\.txt/ });
  await expect(row.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await page.reload();
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray).toContainText('Unfinished upload');
  await inspectBoth(page);
  // Not before the reload: it would go on by itself, and may come to its end.
  await page.unroute('**/v1/uploads/*');
  await expect(tray.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/uploads')) asked.push(request.method());
  });
  await chooseInPage(page, 'Files to go on with', { ...file, name: 'Other.txt' });
  await expect(tray.getByRole('alert')).toContainText('Other.txt');
  await chooseInPage(page, 'Files to go on with', file);
  await sees(page, 'documents.uploaded');
  await expect(row).toContainText('Ready', whenRead);
  expect(asked).not.toContain('POST');
  await expect(tray).toHaveCount(0);
});

test('one’s own upload that is cancelled in the table ends, and is not told as failed', async ({ admin: { page } }) => {
  await page.goto('/admin/documents');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/uploads/*', async (route) => {
    const offset = Number(route.request().headers()['upload-offset'] ?? 0);
    if (route.request().method() === 'PATCH' && offset > 0) await held.promise;
    await route.continue();
  });
  const buffer = Buffer.from('Long notes, line by line.\n'.repeat(40_000));
  await chooseFiles(page, { name: 'Long notes.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /Long notes\.txt/ });
  await expect(row.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await row.getByRole('button', { name: 'Cancel the upload of Long notes.txt' }).click();
  await expect(row).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole('region', { name: 'Uploads' })).toHaveCount(0);
  await drawn(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.reload();
  await sees(page, 'documents.empty');
  await expect(page.getByRole('region', { name: 'Uploads' })).toHaveCount(0);
});

test('an upload goes on when the server was killed and started again', async ({ admin: { page }, app }) => {
  test.slow();
  await page.goto('/admin/documents');
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/uploads')) asked.push(request.method());
  });
  let killed = false;
  await page.route('**/v1/uploads/*', async (route) => {
    if (killed || route.request().headers()['upload-offset'] === '0') return route.continue();
    killed = true;
    await app.killAndStart();
    await route.abort('connectionreset');
  });
  const buffer = Buffer.from('Long notes, line by line.\n'.repeat(12_000));
  await page.getByLabel('Files to upload').setInputFiles({ name: 'Notes.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await expect(page.getByRole('row', { name: /Notes\.txt/ })).toContainText('Ready', { timeout: 120_000 });
  expect(asked.filter((method) => method === 'POST')).toHaveLength(1);
  expect(asked).toContain('HEAD');
});

test('two tabs that send the same name at once: two versions of one file, both said to be there', async ({
  admin: { page },
}) => {
  const other = await page.context().newPage();
  const tabs = [page, other];
  // Neither knows of the other's when it begins: the later one would be asked what to do with a name that is taken.
  const begun = Promise.withResolvers<void>();
  let uploads = 0;
  await page.context().route('**/v1/uploads', async (route) => {
    uploads += 1;
    if (uploads === tabs.length) begun.resolve();
    await begun.promise;
    await route.continue();
  });
  for (const [i, tab] of tabs.entries()) {
    await tab.goto('/admin/documents');
    const buffer = Buffer.from(`The plan as tab ${i} has it.\n`.repeat(2_000));
    await chooseFiles(tab, { name: 'Plan.txt', mimeType: 'text/plain', buffer });
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Upload 1 file(s)' }).click()));
  await Promise.all(tabs.map((tab) => sees(tab, 'documents.uploaded')));
  for (const tab of tabs) {
    const rows = tab.getByRole('row', { name: /Plan/ });
    await expect(rows.filter({ hasText: 'version 2' })).toContainText('Ready', whenRead);
    await expect(rows).toHaveCount(1);
  }
  await other.close();
});

test('a collection that was chosen and taken back before the upload begins is none', async ({
  admin: { page, client },
  uploaded,
}) => {
  await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/documents');
  await chooseFiles(page, changed(checklist));
  const dialog = page.getByRole('dialog', { name: textAt('documents.upload') });
  const upload = dialog.getByRole('button', { name: 'Upload 1 file(s)' });
  await dialog.getByLabel('Collection').selectOption('Board');
  await upload.click();
  const question = page.getByRole('dialog', { name: 'Replace or keep both?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByLabel('Collection').selectOption('');
  await upload.click();
  await question.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByRole('row', { name: /Onboarding checklist \(2\)\.md/ })).toContainText('Company');
});

test('an upload that is gone on with stays where it was begun, whatever is chosen for the others', async ({
  admin,
}) => {
  const { page, client } = admin;
  for (const name of ['Board', 'Crew']) await client.call('createCollection', { name, access: 'restricted' });
  await page.goto('/admin/documents');
  await page.route('**/v1/uploads/*', async (route) => {
    const offset = Number(route.request().headers()['upload-offset'] ?? 0);
    if (route.request().method() === 'PATCH' && offset > 0) await route.abort();
    else await route.continue();
  });
  const file = { name: 'Long notes.txt', buffer: Buffer.from('Long notes, line by line.\n'.repeat(40_000)) };
  await chooseInPage(page, 'Files to upload', file);
  const dialog = page.getByRole('dialog', { name: textAt('documents.upload') });
  await dialog.getByLabel('Collection').selectOption('Board');
  await dialog.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  const row = page.getByRole('row', { name: /Long notes\.txt/ });
  await expect(row.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Uploads' })).toContainText('Unfinished upload');
  await page.unroute('**/v1/uploads/*');
  await chooseInPage(page, 'Files to upload', file);
  const kept = dialog.getByText('One of these was begun before, and stays where it was to go then.');
  await page.getByLabel('Files to upload').setInputFiles(checklist);
  await expect(kept).toBeVisible();
  await dialog.getByLabel('Collection').selectOption('Board');
  await expect(kept).toHaveCount(0);
  await dialog.getByLabel('Collection').selectOption('Crew');
  await expect(kept).toBeVisible();
  await inspect(page);
  await dialog.getByRole('button', { name: 'Upload 2 file(s)' }).click();
  await expect(page.getByRole('row', { name: /Onboarding checklist\.md/ })).toContainText('Crew');
  await expect(row).toContainText('Board');
});

/** Opens the window, chooses files, and presses Upload. */
async function choose(page: Page, ...paths: string[]) {
  await chooseFiles(page, paths);
  await page.getByRole('button', { name: `Upload ${paths.length} file(s)` }).click();
}

/** The same with the file changed, so that it is not what is there already. */
async function chooseChanged(page: Page, path: string) {
  await chooseFiles(page, changed(path));
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
}
