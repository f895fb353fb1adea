import { ask, expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

/** The words marked in the document that is open, as one line. */
const marked = (words: string[]) => words.join(' ').replace(/\s+/g, ' ').trim();

test('sign up, upload, ask, read the answer, and see the cited words in the document', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Company name').fill('Nordwind Logistics');
  await page.getByLabel('Email').fill(`admin-${crypto.randomUUID()}@nordwind.example`);
  await page.getByLabel('Password', { exact: true }).fill('walk the long pier at dawn');
  await page.getByLabel('Confirm password').fill('walk the long pier at dawn');
  await page.getByRole('button', { name: textAt('signup.submitWithoutPayment') }).click();
  await page.waitForURL('**/chat');
  await sees(page, 'chat.noDocuments');
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('button', { name: 'Upload Documents' }).click();
  await page.getByLabel('Files to upload').setInputFiles(['samples/files/Travel policy 2026.pdf']);
  await page.getByRole('button', { name: 'Upload 1 file(s)' }).click();
  await sees(page, 'documents.uploaded');
  await expect(page.getByRole('row', { name: /Travel policy 2026\.pdf/ })).toContainText('Ready · 7 pages');

  await page.getByRole('link', { name: 'Chat Agent' }).click();
  const answer = await ask(page, 'What is the hotel limit per night in Frankfurt (Oder)?');
  await expect(answer).toContainText('95 euros');
  await sees(answer, 'chat.sources');
  await answer
    .getByRole('link', { name: /^Source 1: Travel policy 2026\.pdf, page 3/ })
    .first()
    .click();
  const panel = page.getByRole('complementary', { name: 'Document' });
  await expect(panel.locator('mark').first()).toBeVisible();
  // The text of a page comes in pieces, and each has its marks.
  const words = async () => marked(await panel.locator('mark').allTextContents());
  await expect.poll(words).toContain('Frankfurt (Oder)');
  await expect.poll(words).toContain('95 euros');
  expect(await words()).not.toContain('150 euros');
});

test('every kind of document opens at the quote', async ({ admin: { page }, uploaded }) => {
  test.slow();
  await uploaded(
    'Framework contract Meridian.docx',
    'Price list Q4.xlsx',
    'Minutes board meeting 2026-03.md',
    'IT security guidelines.html',
    'Safety data sheet.txt',
    'Häufige Fragen Personal.md',
  );
  const questions: [question: string, fact: RegExp, file: RegExp][] = [
    [
      'How long is the term of the framework contract with Meridian?',
      /Meridian|years|term/i,
      /Framework contract Meridian\.docx/,
    ],
    ['How many characters must a password have?', /14 characters/, /IT security guidelines\.html/],
    ['Wie viele Tage Urlaub habe ich im Jahr?', /30/, /Häufige Fragen Personal\.md/],
  ];
  for (const [question, fact, file] of questions) {
    const answer = await ask(page, question);
    await expect(answer).toContainText(fact);
    const link = answer.getByRole('link', { name: file }).first();
    await expect(link).toBeVisible();
    const url = await link.getAttribute('href');
    const quote = marked(
      await answer.getByRole('list', { name: 'Sources' }).getByRole('listitem').first().locator('q').allTextContents(),
    );
    await page.goto(url ?? '');
    await expect(page.locator('mark').first()).toBeVisible();
    const words = marked(await page.locator('mark').allTextContents());
    expect(words.length).toBeGreaterThan(10);
    if (quote !== '') expect(quote.replace(/\W/g, '')).toContain(words.replace(/\W/g, '').slice(0, 20));
    await page.goBack();
    await expect(page.getByPlaceholder('Type your message here...')).toBeEnabled();
  }
});

test('a deleted document answers nothing any more, at once', async ({ admin: { page }, uploaded }) => {
  await uploaded('Customs guide.pdf');
  const answer = await ask(page, 'What does a driver do who finds a seal broken?');
  await expect(answer).toContainText('calls the customs desk');

  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('button', { name: 'Delete Customs guide.pdf' }).click();
  const confirm = page.getByRole('dialog', { name: 'Delete this file?' });
  await expect(confirm).toContainText('Customs guide.pdf');
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await sees(page, 'documents.deleted', 'Customs guide.pdf');
  await sees(page, 'documents.empty');

  await page.getByRole('link', { name: 'Chat Agent' }).click();
  const again = await ask(page, 'What does a driver do who finds a seal broken?');
  await expect(again).not.toContainText('customs desk');
  await expect(again.getByRole('list', { name: 'Sources' })).toHaveCount(0);
});
