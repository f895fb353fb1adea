import type { Locator, Page } from '@playwright/test';
import { noViolations } from './inspect.ts';
import { ask, expect, firstChip, test } from './test.ts';
import { textAt } from './texts.ts';

/** What stands around an answer: its sources, and what can be done with it. */

const question = 'Which number do I call to block a lost company card?';

test('a chip shows its quote when pointed at, and opens the document beside the answer', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, question);
  const chip = firstChip(answer);
  await chip.hover();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('Travel policy 2026.pdf');
  await expect(card).toContainText('page 5');
  await expect(card.locator('q')).toContainText('66969-116');
  await noViolations(page);
  await page.getByPlaceholder(textAt('chat.placeholder')).hover();
  await expect(card).toBeHidden();

  await chip.click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.getByRole('textbox', { name: 'Page' })).toHaveValue('5');
  await expect(panel.locator('mark').first()).toBeInViewport();
  await expect.poll(async () => (await panel.locator('mark').allTextContents()).join('')).toContain('66969-116');
  await expect(answer).toBeVisible();
});

test('by the keyboard alone: ask, go to a chip, open, close, go on', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf');
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await page.keyboard.press('/');
  await expect(input).toBeFocused();
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
  const chip = firstChip(page.getByRole('log'));
  await expect(chip).toBeVisible();
  await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  await expect(input).toBeFocused();

  await tabTo(page, chip, 'Shift+Tab');
  const card = page.getByRole('tooltip');
  await expect(card.locator('q')).toContainText('66969-116');
  await expect(chip).toHaveAccessibleDescription(/66969-116/);
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.getByRole('heading', { name: 'Travel policy 2026.pdf' })).toBeFocused();
  await expect(panel.locator('mark').first()).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(chip).toBeFocused();

  await tabTo(page, page.getByRole('button', { name: 'Helpful', exact: true }), 'Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Helpful', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('/');
  await expect(input).toBeFocused();
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the first tap shows the quote, the next one the document on the whole screen', async ({
    admin: { page },
    uploaded,
  }) => {
    await uploaded('Travel policy 2026.pdf');
    const answer = await ask(page, question);
    await firstChip(answer).tap();
    const card = page.getByRole('dialog', { name: 'Source 1' });
    await expect(card.locator('q')).toContainText('66969-116');
    await withinScreen(page);
    await noViolations(page);
    await answer.getByText('Sources').first().tap();
    await expect(card).toBeHidden();
    await firstChip(answer).tap();
    await card.getByRole('link', { name: 'Open document' }).tap();
    const viewer = page.getByRole('dialog', { name: 'Document' });
    await expect(viewer.locator('mark').first()).toBeInViewport();
    await withinScreen(page);
    await viewer.getByRole('button', { name: 'Close document' }).tap();
    await expect(viewer).toBeHidden();

    await page.getByRole('button', { name: 'Files and questions' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Files and questions' });
    const header = page.getByRole('banner');
    for (const target of [
      drawer.getByRole('button', { name: 'Travel policy 2026.pdf' }),
      drawer.getByRole('button', { name: question }),
      header.getByRole('link', { name: 'Admin', includeHidden: true }),
      header.getByRole('button', { name: textAt('admin.logout'), includeHidden: true }),
    ])
      await expect.poll(async () => (await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();

    await page.getByRole('button', { name: 'Filters' }).tap();
    await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible();
    await withinScreen(page);
    await noViolations(page);
    await page.getByRole('button', { name: 'Done' }).tap();
    await answer.getByRole('button', { name: 'Not helpful' }).tap();
    await expect(page.getByRole('group', { name: 'What was wrong?' })).toBeVisible();
    await withinScreen(page);
    await noViolations(page);
  });
});

test('a deleted document takes its words out of the answers on the screen', async ({
  admin: { page },
  member,
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf', 'Onboarding checklist.md');
  const answer = await ask(member.page, question);
  await expect(answer).toContainText('66969-116');
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: 'Delete Travel policy 2026.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(answer).toContainText('source deleted');
  await expect(answer).not.toContainText('66969-116');
});

test('a source that the list of files does not reach is not called deleted until it is', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await page.route('**/v1/getCompanyFiles', (route) => route.fulfill({ json: { result: [] } }));
  await page.route('**/v1/watchFiles', (route) => route.abort());
  await page.goto('/chat');
  const asked = page.waitForResponse('**/v1/getGoneDocuments');
  const answer = await ask(page, question);
  expect(await (await asked).json()).toEqual({ result: { gone: [] } });
  await expect(answer).toContainText('66969-116');
  await expect(answer).not.toContainText('source deleted');

  const [file] = await client.call('getCompanyFiles', null);
  await client.call('deleteFile', { filePath: file?.path ?? '' });
  await page.reload();
  await expect(page.getByRole('log')).toContainText('source deleted');
  await expect(page.getByRole('log')).not.toContainText('66969-116');
});

async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('The keyboard does not get there.');
}

async function withinScreen(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}
