import type { Locator, Page } from '@playwright/test';
import { type Chosen, email, type Hand, password, text } from './hand.ts';
import { makeManual } from './manual.ts';

export async function thirdSourceByMouse(hand: Hand): Promise<void> {
  await askForSources(hand);
  await hand.click(hand.page.getByRole('list', { name: 'Sources' }).getByRole('link').nth(2));
  await hand.page.getByRole('complementary', { name: 'Document' }).getByText('Dogs must be kept').first().waitFor();
  await hand.click(hand.page.getByRole('button', { name: 'Close document' }));
  await hand.click(question(hand));
}

export async function thirdSourceByKeyboard(hand: Hand): Promise<void> {
  await askForSources(hand);
  // Out of the question, which takes letters, and then along the numbers of the answer.
  await hand.press('Shift+Tab');
  for (let n = 0; n < 3; n++) await hand.press('j');
  await hand.press('Enter');
  await hand.page.getByRole('complementary', { name: 'Document' }).getByText('Dogs must be kept').first().waitFor();
  await hand.press('Escape');
  await hand.press('/');
  if (!(await question(hand).evaluate((element) => element === element.ownerDocument.activeElement)))
    throw new Error('the question did not get the focus back');
}

/** An answer with three sources, and the cursor in the question; nothing of it is counted. */
async function askForSources(hand: Hand): Promise<void> {
  const { page } = hand;
  await page.request.post('/v1/signUp', { data: { data: { companyName: 'Nordwind', email, password } } });
  const rules = ['', ' and must not swim', ' after nine in the evening'].map((rest, place) => {
    const jetty = ['north', 'south', 'west'][place];
    return text(`Rules of the ${jetty} jetty.txt`, `Dogs must be kept on a lead on the ${jetty} jetty${rest}.`);
  });
  await upload(page, rules);
  await page.goto('/chat');
  await question(hand).fill('What are the rules for dogs on the north, south and west jetty?');
  await question(hand).press('Enter');
  await page.getByRole('list', { name: 'Sources' }).getByRole('link').nth(2).waitFor();
}

export async function findWord(hand: Hand): Promise<void> {
  const { page } = hand;
  await page.request.post('/v1/signUp', { data: { data: { companyName: 'Nordwind', email, password } } });
  const name = 'Manual.pdf';
  await upload(page, [{ name, mimeType: 'application/pdf', buffer: Buffer.from(await makeManual(0, 100)) }]);
  const link = page
    .getByRole('row', { name: /Manual\.pdf/ })
    .getByRole('link')
    .first();
  const address = await link.getAttribute('href');
  await page.goto(address ?? '');
  await page.getByRole('group', { name: 'Page 1 of 100' }).getByText('NW-4001').first().waitFor();
  await hand.press('Control+f');
  await hand.type(page.getByRole('searchbox', { name: 'Find in document' }), 'NW-4087');
  await hand.press('Enter');
  await page.getByRole('group', { name: 'Page 87 of 100' }).getByText('NW-4087').first().waitFor();
}

function question({ page }: Hand): Locator {
  return page.getByPlaceholder('Type your message here...');
}

/** Files that are there and read before the task begins. */
async function upload(page: Page, files: readonly Chosen[]): Promise<void> {
  await page.goto('/admin/documents');
  await page.getByRole('button', { name: 'Upload Documents' }).click();
  await page.getByLabel('Files to upload').setInputFiles([...files]);
  await page.getByRole('button', { name: `Upload ${files.length} file(s)` }).click();
  await page.getByText(files.length === 1 ? '1 document ready.' : `${files.length} documents ready.`).waitFor();
}
