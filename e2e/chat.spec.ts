/// <reference lib="dom" />
import { ask, expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

test('the empty chat: greeting, empty lists, who is signed in', async ({ admin: { page, email } }) => {
  await sees(page, 'chat.knowledgeBase');
  await sees(page, 'chat.noDocuments');
  await sees(page, 'chat.recentQueries');
  await sees(page, 'chat.noQueries');
  await sees(page, 'chat.placeholder');
  await sees(page, 'chat.admin');
  await expect(page.getByRole('banner')).toContainText(email);
  await expect(page.getByRole('log')).toContainText('What would you like to know?');
});

test('loading and thinking are seen, the input waits, and the focus comes back', async ({ admin: { page } }) => {
  const session = Promise.withResolvers<void>();
  await page.route('**/v1/getSession', async (route) => {
    await session.promise;
    await route.continue();
  });
  await page.reload();
  await sees(page, 'common.loading');
  session.resolve();
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/query', async (route) => {
    await held.promise;
    await route.continue();
  });
  await input.fill('   ');
  await input.press('Enter');
  await expect(page.getByRole('status', { name: textAt('chat.thinking') })).toHaveCount(0);
  await input.fill('Is there anything?');
  await input.press('Enter');
  await sees(page, 'chat.thinking');
  await expect(input).toBeDisabled();
  held.resolve();
  await expect(input).toBeEnabled();
  await expect(input).toBeFocused();
});

test('recent queries: newest first, no repeats, ten at most, one click asks again', async ({ admin: { page } }) => {
  for (let i = 1; i <= 11; i++) await ask(page, `Question number ${i}?`);
  await ask(page, 'Question number 5?');
  const recent = page.getByRole('region', { name: textAt('chat.recentQueries') }).getByRole('button');
  await expect(recent).toHaveCount(10);
  await expect(recent.first()).toHaveText('Question number 5?');
  await expect(recent.filter({ hasText: 'Question number 5?' })).toHaveCount(1);
  await recent.last().click();
  await expect(page.getByRole('log').getByText('Question number 2?')).toHaveCount(2);
});

test('a failure is an answer that begins with "Error: "', async ({ admin: { page } }) => {
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await page.route('**/v1/query', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"result":{}}\n\n' }),
  );
  await input.fill('What now?');
  await input.press('Enter');
  await sees(page, 'chat.errorPrefix');
  await sees(page, 'chat.invalidResponse');
});

test('the list of files: opens the original in a new tab, and says when it can not', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Onboarding checklist.md');
  const file = page.getByRole('button', { name: 'Onboarding checklist.md', exact: true });
  const [tab] = await Promise.all([page.context().waitForEvent('page'), file.click()]);
  await tab.waitForURL('**/files/**');
  await expect(tab.locator('body')).toContainText('Onboarding');
  await tab.close();
  await page.route('**/v1/getFileLink', (route) =>
    route.fulfill({ status: 404, json: { error: { status: 'NOT_FOUND', message: 'gone' } } }),
  );
  await file.click();
  await sees(page, 'chat.openFileFailed');
});

test('what no browser shows opens as the page of the document, with the original as a download', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Staff handbook.docx', 'Price list Q4.xlsx');
  for (const name of ['Staff handbook.docx', 'Price list Q4.xlsx']) {
    const file = page.getByRole('region', { name: textAt('chat.knowledgeBase') }).getByRole('link', { name });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), file.click()]);
    await tab.waitForURL('**/documents/*/1');
    await expect(tab.getByRole('heading', { name })).toBeVisible();
    await expect(tab.getByRole('table').or(tab.getByText('Nordwind')).first()).toBeVisible();
    const download = tab.waitForEvent('download');
    await tab.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe(name);
    await tab.close();
  }
});

test('sources of another server are linked by what they have', async ({ admin: { page } }) => {
  const result = {
    answer: 'The crane is inspected in March [1]. The berth in May [2].',
    sources: [
      { title: 'Crane manual', uri: 'https://files.example/crane.pdf' },
      { name: 'Berths.pdf', link: 'https://files.example/berths.pdf' },
    ],
  };
  await page.route('**/v1/query', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify({ result })}\n\n` }),
  );
  const answer = await ask(page, 'When is the crane inspected?');
  const sources = answer.getByRole('list', { name: textAt('chat.sources') });
  await expect(sources.getByRole('link', { name: 'Crane manual' })).toHaveAttribute(
    'href',
    result.sources[0]?.uri ?? '',
  );
  await expect(sources.getByRole('link', { name: 'Berths.pdf' })).toHaveAttribute(
    'href',
    result.sources[1]?.link ?? '',
  );
  const chip = answer.getByRole('link', { name: /^Source 2: / });
  await expect(chip).toHaveAttribute('href', result.sources[1]?.link ?? '');
  await expect(chip).toHaveAttribute('target', '_blank');
});

test('a list that does not load says so', async ({ admin: { page } }) => {
  const refused = { status: 403, json: { error: { status: 'PERMISSION_DENIED', message: 'no' } } };
  await page.route('**/v1/watchFiles', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(refused.json)}\n\n` }),
  );
  await page.route('**/v1/getCompanyFiles', (route) => route.fulfill(refused));
  await page.reload();
  await sees(page, 'chat.fileListFailed');
});

test('on a phone the sidebar is a drawer, and nothing runs over the edge', async ({ admin: { page } }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByText(textAt('chat.knowledgeBase'))).toBeHidden();
  await page
    .getByRole('button', { name: /menu|sidebar|files and questions/i })
    .first()
    .click();
  await sees(page, 'chat.knowledgeBase');
  await page.keyboard.press('Escape');
  await expect(page.getByText(textAt('chat.knowledgeBase'))).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // Back closes the drawer, not the page.
  await page.getByRole('button', { name: 'Files and questions' }).click();
  await sees(page, 'chat.knowledgeBase');
  await page.goBack();
  await expect(page.getByText(textAt('chat.knowledgeBase'))).toBeHidden();
  await expect(page).toHaveURL(/\/chat$/);
  await page.getByRole('button', { name: 'Files and questions' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: textAt('admin.logout') })
    .click();
  await page.waitForURL('**/login');
});

test('many documents leave room for the questions: eight, all, or those of a name, with one stop of the Tab key', async ({
  admin: { page, client },
}) => {
  const names = Array.from({ length: 12 }, (_, n) => `Note ${String(n + 1).padStart(2, '0')}.txt`);
  for (const name of names) await client.upload(name, Buffer.from(`The ${name} tells of a crane.`));
  const files = page.getByRole('region', { name: textAt('chat.knowledgeBase') });
  const rows = files.getByRole('listitem');
  await expect(files.getByRole('button', { name: 'All 12' })).toBeVisible();
  await expect(rows).toHaveCount(8);
  await files.getByRole('button', { name: 'All 12' }).click();
  await expect(rows).toHaveCount(12);
  await rows.first().getByRole('button').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(rows.last().getByRole('button')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(rows.first().getByRole('button')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(files.getByRole('button', { name: 'Fewer' })).toBeFocused();
  const field = files.getByRole('searchbox', { name: 'Find documents by name' });
  await field.fill('note 1');
  await expect(rows).toHaveCount(3);
  await field.fill('nothing');
  await expect(files.getByText('No document has this in its name.')).toBeVisible();
});

test('without payment the success screen claims no subscription', async ({ admin: { page } }) => {
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Nothing to pay' })).toBeVisible();
  await expect(page.getByText(textAt('success.text'))).toHaveCount(0);
  await page.getByRole('link', { name: textAt('success.goToApp') }).click();
  await page.waitForURL('**/chat');
  await page.goto('/profile');
  await sees(page, 'success.goToApp');
});

test('anything is gone to by the keyboard, and all keys are shown', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf');
  await ask(page, 'How much may a hotel in Berlin cost?');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Document, question, page or action' });
  await expect(field).toBeFocused();
  await field.fill('no such thing');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await field.fill('policy');
  await expect(page.getByRole('option')).toHaveText(/Travel policy 2026\.pdf/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Travel policy 2026.pdf' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await field.fill('berlin');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log').getByRole('heading', { name: 'hotel in Berlin' })).toHaveCount(2);
  await page.keyboard.press('Control+k');
  await field.fill('t');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await field.fill('team');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: textAt('team.heading') })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Find in the open document');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
