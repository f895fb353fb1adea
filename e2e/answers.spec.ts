/// <reference lib="dom" />
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
  expect((await panel.locator('mark').allTextContents()).join('')).toContain('66969-116');
  await expect(answer).toBeVisible();
});

test('the short answer is set off in the quote, on its card and in the footnote', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, 'Within how many days must travel receipts be handed in?');
  await expect(answer.getByRole('blockquote').first().locator('strong')).toHaveText('30 days');
  await expect(answer.getByRole('list', { name: 'Sources' }).locator('q strong').first()).toHaveText('30 days');
  await firstChip(answer).hover();
  await expect(page.getByRole('tooltip').locator('strong')).toHaveText('30 days');
});

test('a row is a small table with the asked cell marked, on a phone a line for each cell', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, 'How much may a hotel in Berlin cost per night?');
  const table = answer.getByRole('blockquote').first().getByRole('table');
  await expect(table.getByRole('columnheader', { name: 'Limit per night' })).toBeVisible();
  await expect(table.locator('mark')).toHaveText('145 euros');
  await expect(table.locator('td').filter({ hasText: '145 euros' }).locator('sup a')).toHaveText('1');
  await noViolations(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const lineOf = async (text: string) => (await table.getByText(text, { exact: true }).boundingBox())?.y ?? 0;
  expect(await lineOf('145 euros')).toBeGreaterThan(await lineOf('Berlin'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
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

test('first questions: suggested from the documents, asked by a click, answered with a source', async ({
  admin: { page },
  uploaded,
}) => {
  await expect(page.getByRole('log')).toContainText('What would you like to know?');
  await expect(page.getByRole('main').getByRole('link', { name: textAt('documents.upload') })).toBeVisible();
  await uploaded('Travel policy 2026.pdf', 'Häufige Fragen Personal.md');
  const questions = page.getByRole('list', { name: 'Questions to begin with' }).getByRole('button');
  await expect(questions.first()).toBeVisible();
  await noViolations(page);
  const text = await questions.first().textContent();
  await questions.first().click();
  await expect(page.getByRole('log').getByRole('heading', { name: text ?? '' })).toBeVisible();
  await expect(firstChip(page.getByRole('log'))).toBeVisible();
  await expect(questions).toHaveCount(0);
});

test('what the documents do not say: told so, with the closest passages', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf', 'Onboarding checklist.md');
  const answer = await ask(page, 'May I bring my dog to the office?');
  await expect(answer).toContainText('could not find an answer');
  await expect(answer.getByRole('list', { name: 'Sources' })).toHaveCount(0);
  const closest = answer.getByRole('list', { name: 'Closest passages' });
  await expect(closest.getByRole('link').first()).toBeVisible();
  await noViolations(page);
  await closest.getByRole('link').first().click();
  await expect(page.getByRole('complementary', { name: 'Document' })).toBeVisible();
});

test('an answer is copied with its sources, as text and as a page', async ({ admin: { page }, uploaded, app }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, question);
  await answer.getByRole('button', { name: 'Copy with sources' }).click();
  await expect(answer.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
  const [text, html] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text() ?? '';
    return [await read('text/plain'), await read('text/html')];
  });
  expect(text).toMatch(/66969-116.*\[1\].*\[1\] Travel policy 2026\.pdf, page 5: “/s);
  expect(text).toContain(`${app.url}/documents/`);
  expect(html).toContain('<sup>');
  expect(html).toContain(`href="${app.url}/documents/`);
});

test('what was found beside the answer is folded, and not copied', async ({ admin: { page }, uploaded }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, 'How much does the company pay per kilometre for a private car?');
  const cited = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  await expect(cited.filter({ hasText: '0.38 euros per kilometre' })).toHaveCount(1);
  const beside = answer.getByRole('list', { name: 'Also found' });
  await expect(beside).toBeHidden();
  await answer.getByRole('button', { name: 'Copy with sources' }).click();
  await expect(answer.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('0.38 euros per kilometre');
  expect(copied).not.toContain('0.30 euros');

  await answer.getByText('Also found (1)').click();
  const found = beside.getByRole('listitem').filter({ hasText: 'kilometre · 0.30 euros · 0.38 euros' });
  await expect(found).toBeVisible();
  await noViolations(page);
  await found.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.getByRole('textbox', { name: 'Page' })).toHaveValue('6');
  await expect(panel.locator('mark').first()).toBeInViewport();
});

test('an answer is rated, with a reason, and the rating taken back', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf');
  const answer = await ask(page, question);
  const up = answer.getByRole('button', { name: 'Helpful', exact: true });
  const down = answer.getByRole('button', { name: 'Not helpful' });
  await saved(page, () => up.click());
  await expect(up).toHaveAttribute('aria-pressed', 'true');
  await saved(page, () => up.click());
  await expect(up).toHaveAttribute('aria-pressed', 'false');

  await saved(page, () => down.click());
  // A reason is kept when it is chosen, and words may follow.
  const chosen = await saved(page, () => answer.getByLabel('The document is out of date').check());
  expect(chosen).toMatchObject({ rating: 'down', reason: 'The document is out of date' });
  await answer.getByLabel('In your own words').fill('There is a newer one.');
  await noViolations(page);
  const sent = await saved(page, () => answer.getByRole('button', { name: 'Send' }).click());
  expect(sent).toMatchObject({ rating: 'down', reason: 'The document is out of date: There is a newer one.' });
  await expect(answer).toContainText('Thanks.');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Not helpful' })).toHaveAttribute('aria-pressed', 'true');

  await page.route('**/v1/rateAnswer', (route) =>
    route.fulfill({ status: 404, json: { error: { status: 'NOT_FOUND', message: 'This answer does not exist.' } } }),
  );
  await page.getByRole('button', { name: 'Helpful', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('This answer does not exist.');
  await expect(page.getByRole('button', { name: 'Not helpful' })).toHaveAttribute('aria-pressed', 'true');
});

test('a written answer: a claim without a source is marked, and so is how it was made', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const { sources } = await client.call('query', {
    history: [{ role: 'user', parts: [{ text: question }] }],
  });
  const answer = 'The number is +49 40 66969-116 [1]. It is answered day and night.';
  await answersWith(page, {
    answer,
    sources: sources.slice(0, 1),
    answered: true,
    queryId: crypto.randomUUID(),
    unsupported: [{ start: answer.indexOf('It is'), end: answer.length }],
    notice: 'The model did not answer in time.',
  });
  const written = await ask(page, question);
  await expect(written).toContainText('The model did not answer in time.');
  await expect(written).toContainText('It is answered day and night. no source');
  await expect(written).toContainText('One statement is marked “no source”');
  await expect(firstChip(written)).toBeVisible();
  await noViolations(page);
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

/** Does it, waits until the server has taken the rating, and gives what was sent. */
async function saved(page: Page, act: () => Promise<void>): Promise<unknown> {
  const [response] = await Promise.all([page.waitForResponse('**/v1/rateAnswer'), act()]);
  expect(response.status()).toBe(200);
  return response.request().postDataJSON().data;
}

async function answersWith(page: Page, result: object): Promise<void> {
  await page.route('**/v1/query', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify({ result })}\n\n` }),
  );
}
