/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { illegibleCells } from './inspect.ts';
import { expect, sees, test } from './test.ts';
import { textAt } from './texts.ts';

const note = Buffer.from('The crane is inspected every March.');
const names = [
  'Framework agreement with Nordwind Logistics on the transport of refrigerated goods, signed 2026-03-01.txt',
  'تقرير السلامة السنوي للميناء الشمالي لعام ٢٠٢٦.txt',
  'a.txt',
];
/** Of one company alone: an e-mail is known once in the whole product. */
const newEmail = (name: string) => `${name}@${crypto.randomUUID().slice(0, 8)}.nordwind-logistics.example`;
const newLongEmail = () => newEmail('maximiliane.von-hohenstein-waldburg');

for (const width of [620, 768, 840, 1024]) {
  test(`every cell can be read at ${width} px`, async ({ admin: { page, client } }) => {
    const longEmail = newLongEmail();
    for (const name of names) await client.upload(name, note);
    const files = await client.filesWhenRead();
    await client.call('setFileTags', {
      documentId: files[0]?.id ?? '',
      tags: ['Contracts with carriers', 'Refrigerated'],
    });
    await client.call('inviteUsers', { emails: [longEmail, newEmail('li')] });
    await page.setViewportSize({ width, height: 900 });
    for (const [path, text] of [
      ['/admin/dashboard', longEmail],
      ['/admin/documents', 'Contracts with carriers'],
      ['/admin/team', longEmail],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('table').getByText(text).first()).toBeVisible();
      expect(await illegibleCells(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.goto('/admin/dashboard');
    const remove = page.getByRole('button', { name: `Remove ${longEmail}` });
    await remove.scrollIntoViewIfNeeded();
    await expect(remove).toBeInViewport({ ratio: 1 });
    await remove.click();
    await expect(page.getByRole('dialog', { name: 'Remove this person?' })).toBeVisible();
  });
}

/** How far the lower edge of the table's box is from the end of the row that it ends on, in px. */
function cutOff(page: Page, label: string): Promise<number> {
  return page.getByRole('table', { name: label }).evaluate((table) => {
    const box = table.parentElement?.getBoundingClientRect();
    const ends = [...table.querySelectorAll('tbody tr:not([aria-hidden])')].map(
      (row) => row.getBoundingClientRect().bottom,
    );
    return Math.min(...ends.map((end) => Math.abs(end - (box?.bottom ?? 0))));
  });
}

test('a table of fixed height ends on a row, on a desk and on a phone', async ({ admin: { page, client } }) => {
  for (let nth = 0; nth < 12; nth++) await client.upload(`Note ${nth}.txt`, Buffer.from(`Note ${nth}: ${note}`));
  await client.filesWhenRead();
  await client.call('inviteUsers', { emails: Array.from({ length: 14 }, newLongEmail) });
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1440, height: 611 },
    { width: 800, height: 900 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(viewport);
    for (const [path, ...labels] of [
      ['/admin/dashboard', textAt('documents.heading'), textAt('team.heading')],
      ['/admin/documents', 'All documents'],
    ] as const) {
      await page.goto(path);
      for (const label of labels) {
        const table = page.getByRole('table', { name: label });
        await expect(table.getByRole('row').nth(3)).toBeVisible();
        // Its border lies below the last row.
        await expect.poll(() => cutOff(page, label)).toBeLessThanOrEqual(1.5);
      }
    }
  }
});

test('an invited person is counted as invited, wherever people are counted', async ({ admin: { page, client } }) => {
  await client.call('inviteUsers', { emails: [newEmail('li'), newEmail('mo')] });
  for (const path of ['/admin/dashboard', '/admin/team']) {
    await page.goto(path);
    await expect(page.getByText('1 person · 2 open invitations')).toBeVisible();
    await expect(page.getByText('3 people')).toHaveCount(0);
  }
});

test('after 10 s without an answer the dashboard says that the server is slow', async ({ admin: { page } }) => {
  // A clock that only the test moves: one that runs on would come to 10 s where a page takes its time.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const held = Promise.withResolvers<void>();
  for (const call of ['getCompanyFiles', 'listUsers']) {
    await page.route(`**/v1/${call}`, async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
  }
  await page.goto('/admin/dashboard');
  await expect(async () => {
    await page.clock.runFor(10);
    await expect(page.getByText(textAt('documents.loading'))).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [50] });
  const slow = page.getByText('The server is slow to answer.');
  await page.clock.runFor(9_000);
  await expect(slow).toHaveCount(0);
  await page.clock.runFor(2_000);
  await expect(slow).toBeVisible();
  await sees(page, 'documents.loading');
  held.resolve();
  await page.clock.resume();
  await sees(page, 'documents.empty');
  await expect(slow).toHaveCount(0);
});

test('a page that cannot even learn who is signed in says so, too', async ({ admin: { page } }) => {
  await page.clock.install();
  await page.route('**/v1/refreshSession', (route) => route.abort());
  await page.goto('/admin/dashboard');
  await sees(page, 'common.loading');
  await page.clock.runFor(11_000);
  await expect(page.getByText('The server is slow to answer.')).toBeVisible();
});

test('on a phone the admin area says where one is', async ({ admin: { page } }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin/dashboard');
  const title = page.getByText(textAt('admin.title'), { exact: true });
  await expect(title).toBeVisible();
  expect((await title.boundingBox())?.width).toBeGreaterThan(100);
});

test('the recent queries take the room that the files leave', async ({ admin: { page } }) => {
  const uid = await page.evaluate(async () => {
    const reply = await fetch('/v1/refreshSession', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":null}',
    });
    return (await reply.json()).result.user.uid;
  });
  await page.evaluate((key) => {
    localStorage.setItem(
      key,
      JSON.stringify(Array.from({ length: 10 }, (_, nth) => `Question number ${nth} about the hotels of Berlin?`)),
    );
  }, `footnote.recent-queries.${uid}`);
  await page.setViewportSize({ width: 1440, height: 760 });
  await page.reload();
  const recent = page.getByRole('region', { name: textAt('chat.recentQueries') });
  await expect(recent.getByRole('button')).toHaveCount(10);
  const hidden = () =>
    recent
      .getByRole('list')
      .evaluate((list) => (list.parentElement?.scrollHeight ?? 0) - (list.parentElement?.clientHeight ?? 0));
  // The files come after the page, and with them the room that they take.
  await expect.poll(hidden).toBe(0);
  // And no more than that: a long question is cut where the sidebar ends.
  const edge = (await page.getByRole('complementary', { name: 'Files and questions' }).boundingBox())?.width ?? 0;
  for (const box of await Promise.all((await recent.getByRole('button').all()).map((each) => each.boundingBox())))
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(edge);
});

test('a table of a mail is as wide as its text, a sheet as wide as the window', async ({ admin: { page, client } }) => {
  const words = 'We keep the prices of last year for all that is ordered before the end of March. '.repeat(4);
  const cells = '<tr><th>Item</th><th>Price</th></tr><tr><td>Pallet</td><td>12 €</td></tr>';
  const mail = [
    'From: Li <li@nordwind.example>',
    'Subject: Prices',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>${words}</p><table>${cells}</table>`,
  ].join('\r\n');
  const letter = await client.upload('Prices.eml', Buffer.from(mail));
  const sheet = await client.upload('Prices.csv', Buffer.from('Item,Price\nPallet,12\n'));
  await client.filesWhenRead();
  const region = page.getByRole('region', { name: 'Text of the document' });
  const widthOf = async (drawn: Locator) => Math.round((await drawn.boundingBox())?.width ?? 0);
  for (const [width, gutter] of [
    [1440, 32],
    [800, 32],
    [360, 16],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/documents/${letter.documentId}/1`);
    const text = await widthOf(region.getByText('We keep the prices'));
    expect(await widthOf(region.getByRole('table').last())).toBe(text);
    expect(await widthOf(region.getByRole('heading', { name: 'E-mail sent by Li' }))).toBe(text);
    // What is told of the mail has more room than what it is called.
    expect(await widthOf(region.getByRole('cell', { name: 'From', exact: true }))).toBeLessThan(text * 0.4);
    await page.goto(`/documents/${sheet.documentId}/1`);
    expect(await widthOf(region.getByRole('table').last())).toBe((await widthOf(region)) - 2 * gutter);
  }
});

test('an item that brings its own mark has no other before it', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('Berths.txt', Buffer.from('- The north jetty\n- The south jetty\n'));
  await client.filesWhenRead();
  await page.goto(`/documents/${documentId}/1`);
  const item = page.getByRole('listitem').filter({ hasText: '- The north jetty' });
  await expect(item).toHaveCSS('list-style-type', 'none');
});

test('a table that the keyboard scrolls says which one it is', async ({ admin: { page }, uploaded }) => {
  await uploaded('Onboarding checklist.md');
  await page.goto('/admin/documents');
  await expect(page.getByRole('link', { name: 'Onboarding checklist.md' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('group', { name: 'All documents' })).toBeFocused({ timeout: 10_000 });
});
