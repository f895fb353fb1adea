import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { changeAtOnce } from './change-at-once.ts';
import { illegibleCells, inspect } from './inspect.ts';
import { expect, test } from './test.ts';

const missing = 'Who waters the plants in the north wing of the harbour office?';
const asking = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });

test('an admin sees what was asked, closes a gap and ticks it off', async ({ admin: { page, client } }) => {
  await client.upload('Crane.txt', Buffer.from('The crane is inspected every March.'));
  await client.filesWhenRead();
  for (const text of [missing, missing.toLowerCase(), 'When is the crane inspected?'])
    await client.call('query', asking(text));
  await page.goto('/admin/analytics');
  const gaps = page.getByRole('table', { name: 'Unanswered questions' });
  await expect(gaps.getByRole('row').filter({ hasText: missing })).toContainText('2');
  await expect(page.getByRole('table', { name: 'Documents by citations' })).toContainText('Crane.txt');

  await page.getByRole('button', { name: `Ask again: ${missing}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask again' });
  await expect(dialog).toContainText('It is still not answered.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await client.upload(
    'Plants.txt',
    Buffer.from('The plants in the north wing of the harbour office are watered by Jonas.'),
  );
  await client.filesWhenRead();
  await page.getByRole('button', { name: `Ask again: ${missing}` }).click();
  await expect(dialog).toContainText('It is answered now.');
  await expect(dialog).toContainText('watered by Jonas');
  await inspect(page);
  await dialog.getByRole('button', { name: 'Mark as solved' }).click();
  await expect(page.getByText('Nothing is left to do: what was not answered is marked as solved.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(gaps.getByRole('row').filter({ hasText: missing })).toHaveCount(1);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the questions as CSV' }).click();
  const rows = parse(await readFile(await (await saving).path()), { bom: true });
  expect(rows).toHaveLength(3);
  expect(rows[1]?.slice(0, 2)).toEqual([missing, '2']);
});

test('the range is chosen with the keyboard, and kept in the address', async ({ admin: { page } }) => {
  await page.goto('/admin/analytics?days=7');
  const week = page.getByRole('button', { name: '7 days' });
  await expect(week).toHaveAttribute('aria-pressed', 'true');
  await week.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/days=90/);
  await expect(page.getByText('Compared with the 90 days before.')).toBeVisible();
  await page.getByRole('button', { name: 'Own dates' }).press('Enter');
  await page.getByLabel('From').fill('2026-03-01');
  await page.getByLabel('To', { exact: true }).fill('2026-03-02');
  await expect(page).toHaveURL(/from=2026-03-01&to=2026-03-02/);
  await expect(page.getByText('Compared with the 2 days before.')).toBeVisible();
  await page.getByLabel('From').fill('2026-03-03');
  await expect(page.getByText('The first day comes after the last.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Questions per day' })).toContainText('Mar 2, 2026');
});

test('dates that are changed faster than the page is drawn both count', async ({ admin: { page } }) => {
  await page.goto('/admin/analytics?from=2026-02-01&to=2026-04-30');
  await expect(page.getByText('Compared with the 89 days before.')).toBeVisible();
  await changeAtOnce(page, { From: '2026-03-01', To: '2026-03-02' });
  await expect(page).toHaveURL(/from=2026-03-01&to=2026-03-02/);
  await expect(page.getByText('Compared with the 2 days before.')).toBeVisible();
});

test('the ratings of another range are read from their beginning; a page is turned once', async ({
  admin: { page, client },
}) => {
  for (let number = 1; number <= 11; number += 1) {
    const { queryId } = await client.call('query', asking(`Who waters plant number ${number}?`));
    await client.call('rateAnswer', { queryId, rating: number === 1 ? 'up' : 'down' });
  }
  await page.goto('/admin/analytics');
  const rated = page.getByRole('list', { name: 'Ratings of answers' }).getByRole('listitem');
  const older = page.getByRole('button', { name: 'Older' });
  await expect(rated).toHaveCount(10);
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/listFeedback', async (route) => {
    await held.promise;
    await route.continue();
  });
  await older.click();
  await older.click();
  held.resolve();
  await expect(rated).toHaveText([/plant number 1\?/]);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(rated).toHaveCount(10);
  await older.click();
  await expect(rated).toHaveCount(1);
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(rated).toHaveCount(10);
  await older.click();
  await expect(rated).toHaveCount(1);
  // The rating that was chosen stays.
  await page.getByLabel('Ratings', { exact: true }).selectOption('Helpful');
  await page.getByRole('button', { name: '90 days' }).click();
  await expect(rated).toHaveText([/plant number 1\?/]);
});

for (const width of [1440, 960, 360]) {
  test(`the analytics are for everyone at ${width} px, with nothing in them and with long names`, async ({
    admin: { page, client },
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin/analytics');
    await expect(page.getByText('You will see here the questions that your documents do not answer')).toBeVisible();
    await inspect(page);
    await client.upload('تقرير السلامة السنوي للميناء الشمالي لعام ٢٠٢٦.txt', Buffer.from('The quay opens at six.'));
    await client.filesWhenRead();
    await client.call('setDisplayName', { displayName: 'محمد عبد الله الشريف' });
    const long = `Where does ${'the-unbroken-word'.repeat(12)} stand?`;
    for (const text of ['كم عدد أيام الإجازة السنوية؟', long]) {
      const { queryId } = await client.call('query', asking(text));
      await client.call('rateAnswer', { queryId, rating: 'down', reason: 'لا يوجد جواب' });
    }
    await client.call('query', asking('When does the quay open?'));
    await page.goto('/admin/analytics');
    await expect(page.getByRole('table', { name: 'People who asked' })).toContainText('محمد');
    await expect(page.getByRole('list', { name: 'Ratings of answers' }).getByRole('listitem')).toHaveCount(2);
    expect(await illegibleCells(page)).toEqual([]);
    await inspect(page);
  });
}
