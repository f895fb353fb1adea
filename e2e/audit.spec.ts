/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { changeAtOnce } from './change-at-once.ts';
import { illegibleCells, inspect } from './inspect.ts';
import { confirmEmail } from './outbox.ts';
import { enter, expect, test } from './test.ts';

const longName = 'مذكرة التفاهم بين شركة الشمال وميناء هامبورغ بشأن التخزين والنقل البري والبحري لعام ٢٠٢٦.txt';

test('an admin finds who did what, and takes it along', async ({ admin: { page, client, email } }) => {
  await client.upload('Crane.txt', Buffer.from('The crane is inspected every March.'));
  await client.upload('Quay.txt', Buffer.from('The quay opens at six.'));
  await client.filesWhenRead();
  await page.goto('/admin/settings/company');
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row').filter({ hasText: 'Crane.txt' })).toContainText(email);
  await expect(log.getByRole('row').filter({ hasText: 'Signed up' })).toHaveCount(1);

  await page.getByLabel('Action').focus();
  await page.getByLabel('Action').selectOption('File uploaded');
  await expect(page).toHaveURL(/action=file-uploaded/);
  await expect(log.getByRole('row').filter({ hasText: 'Signed up' })).toHaveCount(0);
  await expect(page.getByLabel('Action')).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search' }).fill('crane');
  await page.keyboard.press('Enter');
  await expect(log.getByRole('row').filter({ hasText: 'Quay.txt' })).toHaveCount(0);
  await expect(log.getByRole('row').filter({ hasText: 'Crane.txt' })).toHaveCount(1);
  await page.reload();
  await expect(log.getByRole('row').filter({ hasText: 'Crane.txt' })).toHaveCount(1);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the audit log as CSV' }).click();
  const rows = parse(await readFile(await (await saving).path()), { bom: true });
  expect(rows).toHaveLength(2);
  expect(rows[1]?.slice(1, 3)).toEqual(['file-uploaded', email]);

  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing like that is in the log.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(log.getByRole('row').filter({ hasText: 'Audit log exported' })).toContainText('csv');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
});

test('dates that are changed faster than the log is drawn both count', async ({ admin: { page } }) => {
  await page.goto('/admin/settings/audit');
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible();
  await changeAtOnce(page, { From: '2026-03-01', To: '2026-03-02' });
  await expect(page).toHaveURL(/from=2026-03-01&to=2026-03-02/);
  await expect(page.getByText('Nothing like that is in the log.')).toBeVisible();
});

test('the log is for everyone at every width, with long names and a page more', async ({ admin: { page, client } }) => {
  await client.upload(longName, Buffer.from('The quay opens at six.'));
  await client.filesWhenRead();
  for (let i = 0; i < 55; i++) await client.call('setFileTags', await tagged(i));
  for (const width of [1440, 960, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin/settings/audit');
    const log = page.getByRole('table', { name: 'Audit log' });
    await expect(log.getByRole('row').filter({ hasText: longName }).first()).toBeVisible();
    await inspect(page);
    expect(await illegibleCells(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Show older events' }).click();
  await expect(page.getByRole('button', { name: 'Show older events' })).toHaveCount(0);

  async function tagged(i: number) {
    const [file] = await client.call('getCompanyFiles', null);
    return { documentId: file?.id ?? '', tags: [`Tag ${i}`] };
  }
});

test('an e-mail address breaks before its @ and after its dots alone', async ({ app, page }) => {
  const email = `maximiliane.hohenstein${Date.now()}@contracts.northwindlogistics.example`;
  await enter(page, 'signUp', { companyName: 'Nordwind', email, password: 'walk the long pier at dawn' });
  await confirmEmail(app, email);
  for (const path of ['/admin/settings/audit', '/admin/team'])
    for (const width of [1440, 800, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      const cell = page.getByRole('table').getByText(email).first();
      await expect(cell).toBeVisible();
      for (const line of (await cell.evaluate(linesOf)).slice(0, -1))
        expect(line, `${path} ${width}`).toMatch(/(\.|^[^@]*hohenstein\d+)$/);
    }
});

/** What of an element's text stands on each of its lines. */
function linesOf(element: Element): string[] {
  const lines: string[] = [];
  let top = Number.NEGATIVE_INFINITY;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const [place, letter] of [...(text.textContent ?? '')].entries()) {
      const range = document.createRange();
      range.setStart(text, place);
      range.setEnd(text, place + 1);
      const box = range.getBoundingClientRect();
      if (box.top > top + box.height / 2) lines.push('');
      top = box.top;
      lines.push(`${lines.pop() ?? ''}${letter}`);
    }
  return lines;
}
