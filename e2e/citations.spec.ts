import type { Page } from '@playwright/test';
import { ask, expect, test } from './test.ts';

/** Quotes that are hard to find again on a page: each is marked at the place that was cited, and nowhere else. */

test('a quote whose word breaks at the end of a line', async ({ admin: { page }, uploaded }) => {
  await uploaded('Warehouse scanner manual.pdf');
  await open(page, 'Within how many working days are returns processed?', /page 16/);
  expect(await markedLetters(page)).toContain('returnsareprocessedwithin3workingdays');
});

test('a quote that runs over two pages', async ({ admin: { page }, uploaded }) => {
  await uploaded('Customs guide.pdf');
  await open(page, 'What does a driver who finds a seal broken do?', /page [23]/);
  expect(await markedLetters(page)).toMatch(/sealbroken|callsthecustomsdesk/);
});

test('a quote that stands twice on a page is marked once, at the cited place', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await open(page, 'When must receipts be handed in?', /page \d/);
  const letters = await markedLetters(page);
  expect(letters).toContain('receipts');
  expect(letters.match(/receiptsmustbehandedinwithin30days/g)?.length ?? 1).toBe(1);
});

async function open(page: Page, question: string, place: RegExp): Promise<void> {
  const answer = await ask(page, question);
  const link = answer.getByRole('link', { name: place }).first();
  await page.goto((await link.getAttribute('href')) ?? '');
  await expect(page.locator('mark').first()).toBeVisible();
}

async function markedLetters(page: Page): Promise<string> {
  const words = await page.locator('mark').allTextContents();
  return words
    .join('')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
