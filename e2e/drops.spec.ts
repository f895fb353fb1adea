/// <reference lib="dom" />
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { checklist } from './choose-files.ts';
import { inspect, inspectBoth } from './inspect.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

/** Reading takes its time where much else goes on. */
const whenRead = { timeout: 120_000 };

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
