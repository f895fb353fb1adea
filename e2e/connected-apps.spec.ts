import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect, widths } from './inspect.ts';
import { expect, signIn, test } from './test.ts';

/** A program on this machine that wants to be connected, as editors do it. */
async function startProgram(url: string, name: string) {
  const told = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (pathname === '/callback') told.resolve(searchParams);
    response.end('<!doctype html><html lang="en"><title>Test Desk</title><p>You can go back to Test Desk.</p>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [callback] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = { response_type: 'code', client_id: clientId, redirect_uri: callback, code_challenge: challenge };
  return {
    callback,
    authorize: `${url}/oauth/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256', state: 'x' })}`,
    told: told.promise,
    async token(code: string): Promise<string> {
      const fields = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: callback };
      const body = new URLSearchParams({ ...fields, code, code_verifier: verifier });
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    close: () => server.close(),
  };
}

async function statusOf(url: string, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
}

test('an app is connected after a sign-in, listed, and disconnected', async ({ admin, app, browser }) => {
  const program = await startProgram(app.url, 'Test Desk');
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await page.goto(program.authorize);
  await page.waitForURL('**/login');
  await signIn(page, admin.email, admin.password);
  await expect(page.getByRole('heading', { name: 'Connect "Test Desk"?' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toContainText('Ask questions, search and open the documents that you can see.');
  await expect(main).toContainText(new URL(program.callback).host);
  await expect(main).toContainText(admin.email);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await inspect(page);
  }
  await page.getByRole('button', { name: 'Allow' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('You can go back to Test Desk.')).toBeVisible();
  const told = await program.told;
  expect(told.get('state')).toBe('x');
  const token = await program.token(told.get('code') ?? '');
  expect(await statusOf(app.url, token)).toBe(200);
  // Back leads to the chat, not to a question that has its answer.
  await page.goBack();
  await page.waitForURL('**/chat');

  await page.goto('/account/security');
  const section = page.getByRole('region', { name: 'Connected apps' });
  const row = section.getByRole('listitem').filter({ hasText: 'Test Desk' });
  await expect(row).toContainText(new URL(program.callback).host);
  await expect(row).toContainText('Last used');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await inspect(page);
  }
  await row.getByRole('button', { name: 'Disconnect Test Desk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(section.getByText('No app is connected.')).toBeVisible();
  expect(await statusOf(app.url, token)).toBe(401);
  await context.close();
  program.close();
});

test('an app that is not allowed is told so; a question that is over says what to do', async ({ admin, app }) => {
  const { page } = admin;
  const program = await startProgram(app.url, 'Test Desk');
  await page.goto(program.authorize);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You can go back to Test Desk.')).toBeVisible();
  expect((await program.told).get('error')).toBe('access_denied');
  await page.goto('/connect-app?problem=invalid_redirect_uri');
  await expect(page.getByRole('alert')).toContainText('at an address that it has not named before');
  await inspect(page);
  await page.goto('/connect-app');
  await expect(page.getByRole('alert')).toContainText('Please begin again in the app.');
  await page.getByRole('link', { name: 'Go on to the chat' }).click();
  await page.waitForURL('**/chat');
  program.close();
});

test('what was wrong with the request of an app is said without a sign-in', async ({ app, browser }) => {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await page.goto('/connect-app?problem=invalid_client');
  await expect(page.getByRole('alert')).toContainText('is not known here');
  await inspect(page);
  await page.getByRole('link', { name: 'Go on to the chat' }).click();
  await page.waitForURL('**/login');
  // A request that may be answered is for somebody in particular.
  await page.goto('/connect-app?request=0123');
  await page.waitForURL('**/login');
  await context.close();
});
