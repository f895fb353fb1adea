import type { Page } from '@playwright/test';
import { noViolations } from './inspect.ts';
import { ask, expect, firstChip, test } from './test.ts';
import { textAt } from './texts.ts';

/** What stands around an answer: its sources, and what can be done with it. */

const question = 'Which number do I call to block a lost company card?';

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
  // So it is among the sources, and on the card of one.
  const listed = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem').first();
  await firstChip(answer).hover();
  const card = page.getByRole('tooltip');
  for (const place of [listed, card]) {
    await expect(place.getByRole('columnheader', { name: 'Limit per night' })).toBeVisible();
    await expect(place.locator('mark')).toHaveText('145 euros');
    await expect(place).not.toContainText(' · ');
  }
  await noViolations(page);
  await page.getByPlaceholder(textAt('chat.placeholder')).hover();
  await expect(card).toBeHidden();
  await page.setViewportSize({ width: 360, height: 740 });
  const lineOf = async (text: string) => (await table.getByText(text, { exact: true }).boundingBox())?.y ?? 0;
  await expect.poll(async () => (await lineOf('145 euros')) - (await lineOf('Berlin'))).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('first questions: suggested from the documents, asked by a click, answered with a source', async ({
  admin: { page },
  uploaded,
}) => {
  await expect(page.getByRole('log')).toContainText('What would you like to know?');
  await expect(page.getByRole('main').getByRole('button', { name: textAt('documents.upload') })).toBeVisible();
  await uploaded('Travel policy 2026.pdf', 'Häufige Fragen Personal.md');
  const questions = page.getByRole('list', { name: 'Questions to begin with' }).getByRole('button');
  await expect(questions.first()).toBeVisible();
  await noViolations(page);
  // A file that is read later brings others.
  await page.reload();
  const text = await questions.first().locator('span').first().textContent();
  await questions.first().click();
  await expect(page.getByRole('log').getByRole('heading', { name: text ?? '' })).toBeVisible();
  await expect(firstChip(page.getByRole('log'))).toBeVisible();
  await expect(questions).toHaveCount(0);
});

test('what the documents do not say: told so, with the closest passages', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf', 'Onboarding checklist.md');
  const answer = await ask(page, 'May I bring my dog to the office?');
  await expect(answer).toContainText('No clear answer. Closest passages:');
  await expect(answer.getByRole('list', { name: 'Sources' })).toHaveCount(0);
  const closest = answer.getByRole('list', { name: 'Closest passages' });
  await expect(closest.getByRole('link').first()).toBeVisible();
  await noViolations(page);
  await closest.getByRole('link').first().click();
  await expect(page.getByRole('complementary', { name: 'Document' })).toBeVisible();
});

test('what is taken over from the question before is said, and left out on demand', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const before = 'How much may a hotel in Berlin cost per night?';
  await ask(page, before);
  const answer = await ask(page, 'and in Zürich?');
  await expect(answer).toContainText(`Following up on: ${before}`);
  await expect(answer.getByRole('blockquote').first()).toContainText('Zürich');
  // What was asked for before is asked for again, of this row.
  await expect(answer.getByRole('blockquote').first().locator('mark')).toHaveText('210 francs');
  await noViolations(page);
  const [request] = await Promise.all([
    page.waitForRequest('**/v1/query'),
    answer.getByRole('button', { name: 'Ask without it' }).click(),
  ]);
  expect(request.postDataJSON().data.history).toHaveLength(1);
  await expect(answer).toHaveCount(1);
  await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByText('Following up on:')).toHaveCount(0);
  await expect(page.getByRole('log').getByRole('heading', { name: 'and in Zürich?' })).toHaveCount(1);
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
  const found = beside
    .getByRole('listitem')
    .filter({ has: page.getByRole('cell', { name: '0.30 euros', exact: true }) });
  await expect(found.getByRole('cell')).toHaveText(['Private car per kilometre', '0.30 euros', '0.38 euros']);
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
