/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { keepMessages } from './keep-messages.ts';
import { keysOf, watchFocus } from './keys.ts';
import { addMember, enter, expect, test } from './test.ts';
import { textAt } from './texts.ts';

/** A day's work by the keyboard alone: there is no press of a mouse in this file. */

test('a member: sign in, ask, read the sources, rate, narrow, begin anew, look where one is signed in, sign out', async ({
  admin,
  app,
  browser,
}) => {
  const rules = { north: '', south: ' and must not swim', west: ' after nine in the harbour' };
  for (const [jetty, rest] of Object.entries(rules))
    await admin.client.upload(
      `Rules of the ${jetty} jetty.txt`,
      Buffer.from(`Dogs must be kept on a lead on the ${jetty} jetty${rest}.`),
    );
  const { email, password } = await addMember(app, admin);
  await admin.client.filesWhenRead();
  const context = await browser.newContext({ baseURL: app.url });
  const elsewhere = await context.newPage();
  await enter(elsewhere, 'signIn', { email, password });
  const page = await (await browser.newContext({ baseURL: app.url })).newPage();
  await watchFocus(page);
  await keepMessages(page);
  const keys = keysOf(page);
  await page.goto('/login');
  await skips(page, 'Skip to the content', page.getByRole('main'));
  await keys.to(page.getByLabel('Email'));
  await keys.type(email);
  await keys.press('Tab');
  await keys.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat');

  const question = page.getByPlaceholder(textAt('chat.placeholder'));
  await keys.at(question);
  await skips(page, 'Skip to the question', question);
  await keys.type('What are the rules for dogs on the north, south and west jetty?');
  await page.keyboard.press('Enter');
  const log = page.getByRole('log');
  await expect(log.getByRole('link', { name: /^Source 3: / }).first()).toBeVisible();
  await expect(log).toHaveAttribute('aria-busy', 'false');
  await keys.at(question);

  await keys.press('Shift+Tab', 'j', 'j');
  await keys.at(log.getByRole('link', { name: /^Source 2: / }).first());
  await keys.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Document' });
  // What a screen reader says of each step, since the focus stays on the button.
  const place = panel.getByRole('status').filter({ hasText: ' of 3' });
  await expect(place).toHaveText(/^2 of 3: Rules of the \w+ jetty/);
  await keys.at(panel.getByRole('heading', { name: /^Rules of the / }));
  await keys.enter(panel.getByRole('button', { name: 'Next source' }));
  await expect(place).toHaveText(/^3 of 3: Rules of the \w+ jetty/);
  await expect(panel.locator('mark').first()).toBeInViewport();
  await keys.press('Control+f');
  await keys.at(panel.getByRole('searchbox', { name: 'Find in document' }));
  await keys.type('on a lead');
  await keys.press('Enter');
  await expect(panel.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await keys.press('Escape', 'Escape');
  await expect(panel).toHaveCount(0);
  await keys.at(log.getByRole('link', { name: /^Source \d: / }).and(page.locator(':focus')));
  await keys.press('/');
  await keys.at(question);

  const notHelpful = log.getByRole('button', { name: 'Not helpful' });
  await keys.enter(notHelpful, 'Shift+Tab');
  const reasons = page.getByRole('group', { name: 'What was wrong?' });
  await keys.to(reasons.getByRole('radio').first());
  await keys.press('Space', 'ArrowDown');
  await expect(reasons.getByRole('radio', { name: 'Something is missing' })).toBeChecked();
  await keys.enter(page.getByRole('button', { name: 'Done' }));
  await expect(page.getByText('Thanks. Your admins can see it')).toBeVisible();
  await keys.at(notHelpful);

  const filters = page.getByRole('button', { name: 'Filters' });
  await keys.enter(filters);
  await keys.at(page.getByRole('region', { name: 'Filters' }).getByLabel('Find documents by name'));
  await keys.type('south');
  await keys.press('Tab', 'Space', 'Escape');
  await keys.at(filters);
  await keys.enter(page.getByRole('button', { name: 'Do not filter by Rules of the south jetty.txt' }));
  await expect(page.getByRole('list', { name: 'Only these are searched' })).toHaveCount(0);
  await keys.at(filters);

  await keys.enter(page.getByRole('button', { name: 'New chat' }), 'Shift+Tab');
  await keys.at(question);
  await keys.enter(page.getByRole('alert').getByRole('button', { name: 'Undo' }));
  await expect(log).toContainText('Dogs must be kept');
  await keys.at(question);

  await keys.press('Control+k');
  await keys.at(page.getByRole('combobox', { name: 'Document, question, page or action' }));
  await keys.type('north jetty.txt');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/documents/**');
  await keys.at(page.getByRole('heading', { level: 1, name: 'Rules of the north jetty.txt' }));
  await skips(page, 'Skip to the content', page.getByRole('main'));
  await keys.enter(page.getByRole('link', { name: 'Back to chat' }));
  await keys.at(question);

  await keys.enter(page.getByRole('banner').getByRole('button', { name: email }), 'Shift+Tab');
  const account = page.getByRole('dialog', { name: 'Your account' });
  await expect(account).toBeVisible();
  await keys.press('Escape');
  await expect(account).toHaveCount(0);
  await keys.at(page.getByRole('banner').getByRole('button', { name: email }));
  await keys.press('Enter');
  await keys.enter(account.getByRole('link', { name: 'Sign-in and security' }));
  await page.waitForURL('**/account/security');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await keys.at(page.getByRole('heading', { level: 1 }));
  await keys.enter(sessions.getByRole('button', { name: /^Sign out / }));
  await expect(sessions).toHaveCount(1);
  await keys.press();
  await keys.enter(page.getByRole('button', { name: textAt('admin.logout') }), 'Shift+Tab');
  await page.waitForURL('**/login');
  await page.context().close();
  await context.close();
});

test('an admin: documents, people, analytics, settings, the log and what is paid', async ({ admin, app }) => {
  const { page } = admin;
  const member = await addMember(app, admin);
  await watchFocus(page);
  await page.reload();
  const keys = keysOf(page);
  await keys.at(page.getByPlaceholder(textAt('chat.placeholder')));
  const go = async (name: string) => {
    await keys.press('Control+k');
    await keys.at(page.getByRole('combobox', { name: 'Document, question, page or action' }));
    await keys.type(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await keys.press();
  };
  // Heard from the beginning: a key is quicker than the browser is told that somebody waits for this.
  page.on('filechooser', () => {});
  const chosen = async (opener: () => Promise<void>, name: string) => {
    const chooser = page.waitForEvent('filechooser');
    await opener();
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`The crane rests. ${name}`) });
  };
  await go('Documents');
  await skips(page, 'Skip to the content', page.getByRole('main'));
  await keys.press();
  await keys.enter(page.getByRole('button', { name: textAt('documents.upload') }));
  const upload = page.getByRole('dialog', { name: textAt('documents.upload') });
  await keys.at(upload.getByRole('button', { name: 'choose files' }));
  await chosen(() => page.keyboard.press('Enter'), 'Crane.txt');
  await keys.enter(upload.getByRole('button', { name: 'Upload 1 file(s)' }));
  await expect(upload).toHaveCount(0);
  await keys.at(page.getByRole('button', { name: textAt('documents.upload') }));
  const row = page.getByRole('row', { name: /Crane\.txt/ });
  // What is being uploaded has a row of its own, until it is there.
  const ready = (version: number) => row.filter({ hasText: `Ready · version ${version}` });
  await expect(ready(1)).toBeVisible();
  await expect(row).toHaveCount(1);
  await keys.enter(page.getByRole('button', { name: 'Add tags to Crane.txt' }));
  await keys.at(page.getByLabel('Tags, with commas between them'));
  await keys.type('Cranes');
  await keys.press('Enter');
  await expect(row.getByRole('listitem')).toHaveText(['Cranes']);
  await keys.press();
  await chosen(() => keys.enter(page.getByRole('button', { name: 'Replace Crane.txt' })), 'New crane.txt');
  await expect(ready(2)).toBeVisible();
  await expect(row).toHaveCount(1);
  await keys.at(page.getByRole('button', { name: 'Replace Crane.txt' }));
  await keys.to(page.getByRole('checkbox', { name: 'Select Crane.txt' }), 'Shift+Tab');
  await keys.press('Space');
  const bar = page.getByRole('region', { name: 'With the selected documents' });
  await keys.enter(bar.getByRole('button', { name: 'Delete' }));
  const question = page.getByRole('dialog', { name: 'Delete this file?' });
  await keys.at(question.getByRole('button', { name: 'Cancel' }));
  await keys.press('Escape');
  await keys.at(bar.getByRole('button', { name: 'Delete' }));
  await keys.press('Enter');
  await keys.enter(question.getByRole('button', { name: 'Delete' }));
  await expect(row).toHaveCount(0);
  await keys.press();

  await go('Team');
  const invited = `ann-${crypto.randomUUID()}@nordwind.example`;
  await keys.to(page.getByLabel('Email of the person to invite'));
  await keys.type(invited);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: invited })).toBeVisible();
  await keys.at(page.getByLabel('Email of the person to invite'));
  const role = page.getByRole('combobox', { name: `Role of ${member.email}` });
  await keys.to(role);
  await keys.press('a');
  await expect(role).toHaveValue('admin');
  await keys.enter(page.getByRole('button', { name: `Withdraw the invitation of ${invited}` }));
  const withdraw = page.getByRole('dialog', { name: 'Withdraw this invitation?' });
  await keys.enter(withdraw.getByRole('button', { name: 'Withdraw' }));
  await expect(page.getByRole('row', { name: invited })).toHaveCount(0);
  await keys.press();

  await go('Analytics');
  const week = page.getByRole('button', { name: '7 days' });
  await keys.enter(week);
  await expect(week).toHaveAttribute('aria-pressed', 'true');
  await keys.at(week);

  await go('Settings');
  const company = page.getByRole('form', { name: 'Company' });
  await keys.to(company.getByLabel('Company name'));
  await keys.type(' and sons');
  await keys.enter(company.getByRole('button', { name: 'Save' }));
  await expect(company).toContainText('Saved.');
  await keys.at(company.getByRole('button', { name: 'Save' }));
  await keys.enter(page.getByRole('link', { name: 'Audit log' }), 'Shift+Tab');
  await expect(page.getByRole('row', { name: /^Company changed/ })).toBeVisible();
  await keys.press();
  await keys.enter(page.getByRole('link', { name: 'Plan and billing' }), 'Shift+Tab');
  await expect(page.getByText('Payment is switched off')).toBeVisible();
  await keys.press();
  const account = page.getByRole('button', { name: 'Your account' });
  await keys.enter(account, 'Shift+Tab');
  await expect(page.getByRole('dialog', { name: 'Your account' })).toBeVisible();
  await keys.press('Escape');
  await keys.at(account);
  await keys.enter(page.getByRole('button', { name: textAt('admin.logout') }));
  await page.waitForURL('**/login');
});

/** Asserts that the first stop of a page leads past what all pages share, is seen only there, and leads to `to`. */
async function skips(page: Page, name: string, to: Locator): Promise<void> {
  const link = page.getByRole('link', { name });
  const keys = keysOf(page);
  await expect(link).not.toBeInViewport();
  const { pathname } = new URL(page.url());
  // Where a page begins for the keys.
  await page.evaluate(() => {
    const first = document.createElement('span');
    first.tabIndex = 0;
    document.body.prepend(first);
    first.focus();
    first.addEventListener('blur', () => first.remove());
  });
  await page.keyboard.press('Tab');
  await keys.at(link);
  await expect(link).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await keys.at(to);
  await expect(link).not.toBeInViewport();
  expect(new URL(page.url())).toMatchObject({ pathname, hash: '' });
}
