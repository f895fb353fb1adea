import type { Page } from '@playwright/test';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { inspect } from './inspect.ts';
import { ask, expect, test } from './test.ts';

/** Quotes that are hard to find again on a page: each is marked at the place that was cited, and nowhere else. */

test('a quote whose word breaks at the end of a line', async ({ admin: { page }, uploaded }) => {
  await uploaded('Warehouse scanner manual.pdf');
  await open(page, 'Within how many working days are returns processed?', /within 3 working days/);
  await expect.poll(() => markedLetters(page)).toContain('processedwithin3workingdays');
});

for (const name of ['Travel policy 2026.pdf', 'Onboarding checklist.md']) {
  test(`a passage that was found is marked where its address leads: ${name}`, async ({
    admin: { page, client },
    uploaded,
  }) => {
    await uploaded(name);
    const { passages } = await client.call('searchPassages', { query: name.includes('Travel') ? 'hotel' : 'laptop' });
    const [first] = passages;
    await page.goto(first?.url ?? '');
    const letters = (first?.text ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
    await expect.poll(() => markedLetters(page)).toContain(letters.slice(0, 40));
    await inspect(page);
  });
}

test('a quote that runs over two pages', async ({ admin: { page }, uploaded }) => {
  await uploaded('Customs guide.pdf');
  await open(page, 'What does a driver who finds a seal broken do?', /calls the customs desk/);
  await expect.poll(() => markedLetters(page)).toContain('callsthecustomsdeskandwaitsforinstructions');
});

test('a quote that stands twice on a page is marked once, at the cited place', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await open(page, 'Within how many days must receipts be handed in?', /Receipts must be handed in within 30 days/);
  await expect
    .poll(async () => (await markedLetters(page)).match(/receiptsmustbehandedinwithin30days/g))
    .toHaveLength(1);
});

test('a row far down a sheet is lit, below the names of its columns', async ({ admin: { page, client } }) => {
  const rows = Array.from({ length: 3000 }, (_, i) => `Part ${i},${i * 3},Shelf ${i % 40},zebra${i}`);
  await client.upload('Parts.csv', Buffer.from(['Name,Number,Shelf,Code', ...rows].join('\n')));
  await client.filesWhenRead();
  await open(page, 'What is the number of part zebra2345?', /zebra2345/);
  await expect(page.locator('tr[data-lit]')).toHaveText(/Part 2345.*7035/);
  const headers = page.getByRole('columnheader', { name: 'Number' });
  const view = await page.getByRole('region', { name: 'Text of the document' }).boundingBox();
  await expect
    .poll(() => headers.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top))))
    .toContain(Math.round(view?.y ?? -1));
});

test('another width of the window keeps the passage in sight, on pages and in text', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf', 'Minutes board meeting 2026-03.md');
  await open(page, 'Which number do I call to block a lost company card?', /66969-116/);
  const mark = page.locator('mark').first();
  for (const width of [500, 1200]) {
    await page.setViewportSize({ width, height: 700 });
    const drawn = async () => (await page.locator('canvas').first().boundingBox())?.width;
    await expect.poll(async () => ((await drawn()) ?? 0) > 500).toBe(width > 500);
    await expect(mark).toBeInViewport();
  }
  await page.goto('/chat');
  await open(page, 'How many pieces per hour has offer C of the sorting system?', /offer C/);
  await expect(mark).toBeInViewport();
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 400 });
    await expect(mark).toBeInViewport();
  }
});

/** Asks, and opens the page of the source whose quote has these words. */
async function open(page: Page, question: string, quote: RegExp): Promise<void> {
  const answer = await ask(page, question);
  const source = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem').filter({ hasText: quote }).first();
  await page.goto((await source.getByRole('link').first().getAttribute('href')) ?? '');
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

test('a row whose columns have no names is shown as its page has it, too', async ({ admin: { page, client } }) => {
  await client.upload('Belt wear.pdf', await tableWithoutName());
  await client.filesWhenRead();
  const answer = await ask(page, 'Load of Osprey');
  const quote = answer.getByRole('blockquote');
  await expect(quote.locator('mark', { hasText: '20.4' })).toBeVisible();
  const picture = quote.getByRole('img', { name: 'The passage as it stands on page 1 of Belt wear.pdf', exact: true });
  const before = await picture.boundingBox();
  await expect(picture.locator('canvas')).toBeVisible();
  await expect(picture.locator('mark')).toBeVisible();
  // In one look: the conversation may still be moved to its end.
  const { box, mark } = await picture.evaluate((element) => {
    const [box, mark] = [element, element.querySelector('mark')].map((each) => each?.getBoundingClientRect());
    return { box, mark };
  });
  if (!before || !box || !mark) throw new Error('nothing is shown');
  // It takes its room before it is drawn, and shows what stands above the row: there are the names that there are.
  expect(box.height).toBe(before.height);
  expect(mark.y).toBeGreaterThan(box.y + box.height / 3);
  expect(mark.y + mark.height).toBeLessThan(box.y + box.height);
  await inspect(page);
});

/** A table of which one column has no name. */
async function tableWithoutName(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  const places = [70, 220, 320, 420];
  const line = (y: number, ...cells: string[]) => {
    for (const [column, text] of cells.entries()) page.drawText(text, { x: places[column] ?? 0, y, size: 11, font });
  };
  line(780, 'Wear of the belts in the winter of 2025, as it was measured.');
  line(720, 'Belt', 'Dry', '', 'Load');
  for (const [row, name] of ['Falcon', 'Heron', 'Osprey', 'Merlin', 'Kestrel'].entries())
    line(690 - row * 22, name, `0.${31 + row}5`, `0.${52 + row}1`, `${18 + row}.4`);
  return pdf.save();
}
