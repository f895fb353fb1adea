import { noViolations } from './inspect.ts';
import { ask, expect, test } from './test.ts';

const question = 'What does the travel policy say about hotels and flights?';

test('the sources of an answer are stepped through, by button and by key, and the open one is filled', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, question);
  const chips = answer.locator('sup a');
  await chips.first().click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.getByText(/^1 of \d: Travel policy/)).toBeVisible();
  await expect(chips.first()).toHaveAttribute('aria-current', 'true');
  await panel.getByRole('button', { name: 'Next source' }).click();
  await expect(panel.getByText(/^2 of \d: Travel policy/)).toBeVisible();
  await expect(chips.nth(1)).toHaveAttribute('aria-current', 'true');
  await expect(chips.first()).not.toHaveAttribute('aria-current', 'true');
  await expect(panel.getByRole('button', { name: 'Next source' })).toBeFocused();
  await page.keyboard.press('k');
  await expect(panel.getByText(/^1 of \d: Travel policy/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(chips.first()).toBeFocused();
  // With nothing open the same keys walk along the numbers.
  await page.keyboard.press('j');
  await expect(chips.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.getByText(/^2 of \d: Travel policy/)).toBeVisible();
});

test('words are found in a PDF, a page is gone to, and the page grows', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, question);
  await answer.locator('sup a').first().click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.locator('mark').first()).toBeVisible();
  const field = panel.getByRole('searchbox', { name: 'Find in document' });
  await panel.getByRole('region', { name: 'Pages' }).press('Control+f');
  await expect(field).toBeFocused();
  await field.fill('Nordwind Logistics');
  const count = panel.getByRole('search').getByRole('status');
  await expect(count).toHaveText(/^\d+ of \d+$/);
  const first = await count.textContent();
  await page.keyboard.press('Enter');
  await expect(count).not.toHaveText(first ?? '');
  await page.keyboard.press('Shift+Enter');
  await expect(count).toHaveText(first ?? '');
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('found-now')?.size)).toBe(1);
  await field.fill('no such words');
  await expect(count).toHaveText('Not found');
  // One Esc ends the search, the next closes the document.
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  const pageField = panel.getByRole('textbox', { name: 'Page' });
  await pageField.fill('7');
  await page.keyboard.press('Enter');
  await expect(pageField).toHaveValue('7');
  await expect(panel.getByRole('group', { name: 'Page 7 of 7' })).toBeInViewport();
  // A page that is drawn anew on the way does not pull the reader back to its match or its mark.
  await field.fill('Nordwind Logistics');
  await expect(count).toHaveText(/^\d+ of \d+$/);
  await pageField.fill('1');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('group', { name: 'Page 1 of 7' })).toBeInViewport();
  await pageField.fill('7');
  await page.keyboard.press('Enter');
  await pageField.fill('3');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('group', { name: 'Page 3 of 7' }).locator('canvas')).toBeInViewport();
  await expect(pageField).toHaveValue('3');
  await field.fill('');
  await pageField.fill('7');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('group', { name: 'Page 7 of 7' })).toBeInViewport();
  const widthOf = async () => (await panel.getByRole('group', { name: 'Page 7 of 7' }).boundingBox())?.width ?? 0;
  const before = await widthOf();
  await panel.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(widthOf).toBeCloseTo(before * 1.25, 0);
  await panel.getByRole('button', { name: 'fit the width' }).click();
  await expect.poll(widthOf).toBe(before);
  // On a page of its own there is a way back to the conversation.
  await page.goto((await answer.locator('sup a').first().getAttribute('href')) ?? '');
  await page.getByRole('link', { name: 'Back to chat' }).click();
  await expect(page.getByRole('log').getByRole('heading', { name: question })).toBeVisible();
});

test('words are found in a text, a sheet is gone to by its number, and the text is selected', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Price list Q4.xlsx');
  const [file] = await client.call('getCompanyFiles', null);
  await page.goto(`/documents/${file?.id}/1`);
  const region = page.getByRole('region', { name: 'Text of the document' });
  await expect(region.getByRole('cell').first()).toBeVisible();
  // Nothing has the focus on a page that has just been opened.
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Find in document' });
  await expect(field).toBeFocused();
  await field.fill('saturday');
  const count = page.getByRole('search').getByRole('status');
  await expect(count).toHaveText(/^1 of \d+$/);
  const shown = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('found-now') ?? [];
      if (!(range instanceof Range)) return null;
      const { top, bottom } = range.getBoundingClientRect();
      return { text: range.toString().toLowerCase(), isInSight: top >= 0 && bottom <= window.innerHeight };
    });
  await expect.poll(shown).toEqual({ text: 'saturday', isInSight: true });
  await noViolations(page);
  await page.keyboard.press('Escape');
  const number = page.getByRole('textbox', { name: 'Number of the sheet' });
  await number.fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Sheet' })).toHaveValue('1');
  await expect(number).toHaveValue('2');
  const cell = region
    .getByRole('cell')
    .filter({ hasText: /\p{L}{4}/u, visible: true })
    .last();
  await cell.selectText();
  expect(await page.evaluate(() => document.getSelection()?.toString().trim())).toBe((await cell.innerText()).trim());
});

test('a page is gone to by its small picture, and its words are selected', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const [file] = await client.call('getCompanyFiles', null);
  await page.goto(`/documents/${file?.id}/1`);
  const pictures = page.getByRole('navigation', { name: 'Small pictures of all pages' });
  await expect(page.getByRole('group', { name: 'Page 1 of 7' }).locator('canvas')).toBeVisible();
  await expect(pictures).toHaveCount(0);
  await page.getByRole('button', { name: 'Small pictures of all pages' }).click();
  await expect(pictures.locator('canvas').first()).toBeVisible();
  await noViolations(page);
  await pictures.getByRole('button', { name: 'Page 3 of 7' }).click();
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('3');
  await expect(pictures.getByRole('button', { name: 'Page 3 of 7' })).toHaveAttribute('aria-current', 'page');
  const words = page.getByRole('group', { name: 'Page 3 of 7' }).getByText('Amsterdam', { exact: true });
  await words.selectText();
  expect(await page.evaluate(() => document.getSelection()?.toString().trim())).toBe('Amsterdam');
});

test('at 1024 px the document has the place of the sidebar, and all of its bar is in sight', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await page.setViewportSize({ width: 1024, height: 768 });
  const answer = await ask(page, question);
  await answer.locator('sup a').first().click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.getByRole('link', { name: 'Download' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('complementary', { name: 'Files and questions' })).toHaveCount(0);
  // The way out stands beside the name, wherever the other parts of the bar go.
  const middleOf = async (name: string) => {
    const box = await panel.getByRole(name === 'Close document' ? 'button' : 'heading', { name }).boundingBox();
    return box ? box.y + box.height / 2 : Number.NaN;
  };
  const apart = async () => Math.abs((await middleOf('Close document')) - (await middleOf('Travel policy 2026.pdf')));
  await expect.poll(apart).toBeLessThan(6);
  await expect(answer).toBeInViewport();
  // Dragged as far as it goes nothing leaves the window.
  const divider = panel.getByRole('separator', { name: 'Width of the document' });
  for (let step = 0; step < 12; step++) await divider.press('ArrowLeft');
  await expect(panel.getByRole('button', { name: 'Close document' })).toBeInViewport({ ratio: 1 });
  for (let step = 0; step < 24; step++) await divider.press('ArrowRight');
  for (const name of ['Close document', 'Copy link', 'Next source'])
    await expect(panel.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await panel.getByRole('button', { name: 'Close document' }).click();
  await expect(page.getByRole('complementary', { name: 'Files and questions' })).toBeVisible();
});
