/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { inspect, inspectBoth } from './inspect.ts';
import { drawn } from './still.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

/** Reading takes its time where much else goes on. */
const whenRead = { timeout: 120_000 };

const checklist = 'samples/files/Onboarding checklist.md';

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
  await question.getByRole('button', { name: 'Cancel' }).click();
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

test('a folder that is dropped: its files keep where they came from in their names', async ({ admin: { page } }) => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-drop-'));
  await mkdir(join(folder, 'Contracts', '2026'), { recursive: true });
  await writeFile(join(folder, 'Contracts', 'readme.md'), 'Contracts are kept for ten years.');
  await writeFile(join(folder, 'Contracts', '2026', 'readme.md'), 'This year has eleven contracts.');
  await page.goto('/admin/documents');
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await drop(page, page.getByRole('group', { name: 'Drop files here' }), join(folder, 'Contracts'));
  await page.getByRole('button', { name: 'Upload 2 file(s)' }).click();
  await sees(page, 'documents.uploaded');
  for (const name of ['Contracts › readme.md', 'Contracts › 2026 › readme.md'])
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  // And one that is chosen, without what a system leaves in it.
  await writeFile(join(folder, 'Contracts', '.DS_Store'), 'not meant');
  await writeFile(join(folder, 'Contracts', '2026', 'plan.md'), 'This year has a plan.');
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page.getByLabel('Folder to upload').setInputFiles(join(folder, 'Contracts', '2026'));
  await expect(page.getByRole('list', { name: 'Selected files' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Selected files' })).toContainText('2026 › plan.md');
  await rm(folder, { recursive: true });
});

test('what is dropped and cannot be read is told', async ({ admin: { page } }) => {
  await page.goto('/admin/documents');
  await sees(page, 'documents.empty');
  // As where a drive has been pulled out meanwhile.
  await page.evaluate(() => {
    const gone = {
      isFile: true,
      file: (_: unknown, reject: (reason: unknown) => void) => reject(new DOMException('It is gone.', 'NotFoundError')),
    };
    DataTransferItem.prototype.webkitGetAsEntry = () => gone as unknown as FileSystemEntry;
  });
  await drop(page, page.getByRole('main'), resolve(checklist));
  await expect(page.getByRole('alert')).toContainText('What was dropped could not be read.');
});

test('on the chat: Upload opens the window, a drop chooses files, and what is read leads to the first question', async ({
  admin: { page },
  member,
}) => {
  await page.goto('/chat');
  await page
    .getByRole('main')
    .getByRole('button', { name: textAt('documents.upload') })
    .click();
  await expect(page.getByRole('dialog', { name: textAt('documents.upload') })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await drag(page, page.getByRole('main'), resolve(checklist), ['dragEnter', 'dragOver']);
  await expect(page.getByText('Drop files to upload them')).toBeVisible();
  await inspectBoth(page);
  await drop(page, page.getByRole('main'), resolve(checklist));
  await expect(page.getByRole('list', { name: 'Selected files' })).toContainText('Onboarding checklist.md');
  await inspect(page);
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await expect(page.getByText('1 document ready.')).toBeVisible(whenRead);
  await page.goto('/admin/team');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Onboarding checklist.md', exact: true })).toBeVisible();

  // A member's page takes none, and does not open the file in its own place.
  await drop(member.page, member.page.getByRole('main'), resolve(checklist));
  await expect(member.page.getByPlaceholder(textAt('chat.placeholder'))).toBeVisible();
  await expect(member.page.getByRole('dialog')).toHaveCount(0);
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

/** Opens the window, chooses files, and presses Upload. */
async function choose(page: Page, ...paths: string[]) {
  await chooseFiles(page, paths);
  await page.getByRole('button', { name: `Upload ${paths.length} file(s)` }).click();
}

async function chooseFiles(page: Page, files: Parameters<Locator['setInputFiles']>[0]) {
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page.getByLabel('Files to upload').setInputFiles(files);
}

/** Drops what lies at a path, as by a hand from the desktop. */
const drop = (page: Page, target: Locator, path: string) => drag(page, target, path, ['dragEnter', 'dragOver', 'drop']);

async function drag(page: Page, target: Locator, path: string, steps: ('dragEnter' | 'dragOver' | 'drop')[]) {
  const box = await target.boundingBox();
  if (!box) throw new Error('there is nothing to drop on');
  const devtools = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (const type of steps) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data });
  }
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

/** The same with the file changed, so that it is not what is there already. */
async function chooseChanged(page: Page, path: string) {
  await chooseFiles(page, changed(path));
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
}

/** The file with another line, so that it is not what is there already. */
function changed(path: string) {
  return {
    name: basename(path),
    mimeType: 'text/plain',
    buffer: Buffer.concat([readFileSync(path), Buffer.from(`\n${crypto.randomUUID()}\n`)]),
  };
}

async function chooseInPage(page: Page, label: string, { name, buffer }: { name: string; buffer: Buffer }) {
  if (label === 'Files to upload') await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page.locator(`input[type=file][aria-label="${label}"]`).evaluate(
    (input: HTMLInputElement, { name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { lastModified: 1_760_000_000_000 }));
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { name, text: buffer.toString() },
  );
}
