import { keepMessages } from './keep-messages.ts';
import { ask, enter, expect, logOut, test } from './test.ts';
import { textAt } from './texts.ts';

const question = 'How much may a hotel in Berlin cost?';

test('offline a question is kept where it is written, and is sent once the network is back', async ({
  admin: { page },
}) => {
  const field = page.getByPlaceholder(textAt('chat.placeholder'));
  const notice = page.getByRole('status', { name: 'Connection' });
  await expect(field).toBeVisible();
  await page.context().setOffline(true);
  await expect(notice).toHaveText('You’re offline. Your question is kept.');
  await field.fill(question);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(question);
  await expect(page.getByRole('heading', { name: question })).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(notice).toBeEmpty();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
});

test('offline a question that is asked by a click is kept in the field as one that is written', async ({
  admin: { page },
}) => {
  const field = page.getByPlaceholder(textAt('chat.placeholder'));
  await ask(page, question);
  await page.context().setOffline(true);
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('You’re offline. Your question is kept.');
  const messages = page.getByRole('log').getByRole('heading', { name: question });
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page
    .getByRole('region', { name: textAt('chat.recentQueries') })
    .getByRole('button')
    .click();
  await expect(field).toHaveValue(question);
  await expect(messages).toHaveCount(1);
  await expect(page.getByText(textAt('chat.errorPrefix').trim())).toHaveCount(0);
  await expect(page.getByRole('log').locator('[data-reading]')).toHaveCount(1);
});

test('a page that is opened while the server is stopped says so, and opens by itself when it is back', async ({
  admin: { page },
  app,
}) => {
  await page.getByPlaceholder(textAt('chat.placeholder')).fill(question);
  await app.kill();
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText(
    'The server can’t be reached. We keep trying. Your question is kept.',
  );
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(page.getByText('This page could not be loaded')).toBeVisible();
  await app.killAndStart();
  await expect(page.getByRole('heading', { name: textAt('documents.heading') })).toBeVisible();
  await page.goto('/chat');
  await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toHaveValue(question);
});

test('a new chat can be taken back, and the ones before are gone back to until sign-out', async ({
  admin: { page, email, password },
}) => {
  const log = page.getByRole('log');
  const field = page.getByPlaceholder(textAt('chat.placeholder'));
  await keepMessages(page);
  await page.reload();
  await ask(page, question);
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(field).toBeFocused();
  await expect(log.getByRole('heading')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(log.getByRole('heading', { name: question })).toBeVisible();
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'Who pays for safety shoes?');
  await page.reload();
  const earlier = page.getByRole('region', { name: 'EARLIER CHATS' }).getByRole('button');
  await earlier.filter({ hasText: question }).click();
  await expect(log.getByRole('heading', { name: question })).toBeVisible();
  await expect(field).toBeFocused();
  await expect(earlier).toHaveText(['Who pays for safety shoes?']);
  await logOut(page);
  await enter(page, 'signIn', { email, password });
  await page.goto('/chat');
  await expect(field).toBeVisible();
  await expect(earlier).toHaveCount(0);
});
