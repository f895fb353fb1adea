import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { inspect, inspectBoth, widths } from './inspect.ts';
import { expect, test } from './test.ts';

/** Where the receivers of these tests are; none of it is public, so the service is told to allow it. */
const receiver = createServer();
let answer = 204;
const heard: { headers: Record<string, string>; body: string }[] = [];
receiver.on('request', async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  heard.push({ headers: request.headers as Record<string, string>, body });
  response.writeHead(answer).end();
});
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

test.use({ settings: [{ OUTBOUND_ALLOW: origin }, { scope: 'worker' }] });
test.afterAll(() => void receiver.close());

test('a webhook is made by the keyboard, told of a test and of a document, led on, and deleted', async ({ admin }) => {
  const { page, client } = admin;
  const { collectionId } = await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await page.goto('/admin/settings/webhooks');
  const section = page.getByRole('region', { name: 'Webhooks', exact: true });
  await expect(section.getByText('There are no webhooks yet.')).toBeVisible();
  await section.getByRole('button', { name: 'Add a webhook' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await expect(dialog.getByLabel('Address')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please enter an address.')).toBeVisible();
  await page.keyboard.type('http://hooks.example/in');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This address cannot be used. It has to begin with https://.')).toBeVisible();
  await dialog.getByLabel('Address').fill(`${origin}/in`);
  await dialog.getByLabel('A person joined').uncheck();
  await dialog.getByLabel('Only those in collections chosen here').check();
  await dialog.getByLabel('Board').check();
  await inspectBoth(page);
  await dialog.getByLabel('Address').focus();
  await page.keyboard.press('Enter');

  const made = page.getByRole('dialog', { name: 'The secret of the webhook' });
  await expect(made.getByText('It is not shown again.')).toBeVisible();
  const secret = await made.getByLabel('Secret').inputValue();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await made.getByRole('button', { name: 'I have copied it' }).click();
  await expect(made).toBeHidden();
  expect(await page.content()).not.toContain(secret);
  const row = section.getByRole('listitem');
  await expect(row).toContainText(`${origin}/in`);
  await expect(row).toContainText('7 events · 1 collection');

  await row.getByRole('button', { name: /^Log of / }).click();
  await expect(page.getByText('Nothing was sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Send a test' }).click();
  const log = page.getByRole('list', { name: 'Log', exact: true });
  const sent = (type: string) => log.locator(':scope > li').filter({ has: page.getByText(type, { exact: true }) });
  await expect(sent('webhook.test')).toContainText('Answered 204');
  await client.upload('Crane.md', Buffer.from('# Crane\n\nThe crane was bought in May.\n'), 'replace', collectionId);
  await client.filesWhenRead();
  await expect.poll(() => heard.length).toBe(2);
  await page.reload();
  await expect(sent('document.ready')).toContainText('Delivered');
  for (const { headers, body } of heard) new Webhook(secret).verify(body, headers);
  await sent('document.ready').getByText('What was sent').click();
  await expect(sent('document.ready').locator('pre')).toContainText('"name": "Crane.md"');
  await inspectBoth(page);
  await sent('document.ready')
    .getByRole('button', { name: /^Send again: document\.ready/ })
    .click();
  await expect(sent('document.ready').getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2);
  expect(heard[2]?.headers['webhook-id']).toBe(heard[1]?.headers['webhook-id']);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the webhook' });
  await expect(edit.getByLabel('A person joined')).not.toBeChecked();
  await edit.getByLabel('Address').fill(`${origin}/other`);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${origin}/other`)).toBeVisible();
  await page.getByRole('button', { name: 'Renew the secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Renew the secret' }).click();
  const renewed = await page.getByRole('dialog').getByLabel('Secret').inputValue();
  expect(renewed).not.toBe(secret);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByText(/The secret of before signs, too, until/)).toBeVisible();

  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText(/^Switched off by an admin/)).toBeVisible();
  answer = 500;
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(log.getByText('Answered 500')).toBeVisible();
  answer = 204;
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText(/^Switched off by an admin/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(section.getByText('There are no webhooks yet.')).toBeVisible();
});

test('a test that is sent from an older page of the log is seen', async ({ admin: { page, client } }) => {
  const { webhookId } = await client.call('createWebhook', { url: `${origin}/in`, events: ['document.ready'] });
  for (let sent = 0; sent < 51; sent += 1) await client.call('sendTestEvent', { webhookId });
  await page.goto(`/admin/settings/webhooks?log=${webhookId}`);
  const events = page.getByRole('list', { name: 'Log', exact: true }).locator(':scope > li');
  await expect(events).toHaveCount(50);
  await page.getByRole('button', { name: 'Older events' }).click();
  await expect(events).toHaveCount(1);
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/sendTestEvent', async (route) => {
    await held.promise;
    await route.continue();
  });
  const button = page.getByRole('button', { name: 'Send a test' });
  await expect(button).toHaveCSS('cursor', 'pointer');
  await button.click();
  // That it is on its way is seen.
  await expect(button).toHaveCSS('cursor', 'progress');
  await expect(button).toHaveCSS('opacity', '0.8');
  await expect(button).toBeFocused();
  held.resolve();
  await expect(events).toHaveCount(50);
  await expect(button).toHaveCSS('opacity', '1');
  await expect(page.getByRole('button', { name: 'Newest events' })).toHaveCount(0);
});

for (const width of widths) {
  test(`webhooks and their log can be read by everybody at ${width} px`, async ({ admin: { page, client } }) => {
    const events = ['document.ready', 'question.unanswered'] as const;
    const url = `${origin}/a-rather-long-path/${'x'.repeat(60)}`;
    const { webhookId } = await client.call('createWebhook', { url, events: [...events] });
    await client.call('rotateWebhookSecret', { webhookId });
    await client.call('sendTestEvent', { webhookId });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/admin/settings/webhooks');
    await expect(page.getByText('2 events')).toBeVisible();
    await inspect(page);
    await page.goto(`/admin/settings/webhooks?log=${webhookId}`);
    await expect(page.getByText('Answered 204')).toBeVisible();
    await page.getByText('What was sent', { exact: true }).click();
    await inspect(page);
  });
}
