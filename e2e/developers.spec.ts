import { readFile } from 'node:fs/promises';
import { inspect, widths } from './inspect.ts';
import { expect, test } from './test.ts';

// Every call is there, which is a long page to look through.
test.describe.configure({ timeout: 180_000 });

for (const width of widths) {
  test(`can be read by anybody at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/developers');
    await expect(page.getByRole('heading', { name: 'Answers', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Log in to make a key' })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download footnote.mjs' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('footnote.mjs');
    expect(await readFile(await file.path(), 'utf8')).toBe(await readFile('scripts/footnote.mjs', 'utf8'));
    await page.getByRole('searchbox', { name: 'Search the calls' }).fill('rate');
    const call = page.locator('details').filter({ hasText: 'rateAnswer' });
    await call.locator('summary').click();
    await expect(call.getByText('answer-not-found')).toBeVisible();
    await expect(call.getByText('Paste a key above, or log in.')).toBeVisible();
    await inspect(page);
  });
}

test('a key is shown in the examples, and what they say is tried with it', async ({ admin, app, page }) => {
  const { key } = await admin.client.call('createApiKey', { name: 'Try it', kind: 'personal', scope: 'read' });
  await page.goto('/developers#getStorage');
  await page.getByLabel('API key', { exact: true }).fill(key);
  const quickStart = page.getByRole('region', { name: 'Quick start: curl', exact: true });
  await expect(quickStart).toContainText(key);
  await expect(page.getByRole('region', { name: 'A whole folder: curl', exact: true })).toContainText(key);
  await expect(quickStart).toContainText(new URL(app.url).origin);
  const assistants = page.getByRole('group', { name: 'Assistant', exact: true });
  for (const assistant of ['Cursor', 'Claude Code']) {
    await assistants.getByRole('button', { name: assistant, exact: true }).click();
    const settings = page.getByRole('region', { name: `Connect an assistant: ${assistant}`, exact: true });
    await expect(settings).toContainText(`${new URL(app.url).origin}/mcp/key`);
    await expect(settings).toContainText(`Bearer ${key}`);
  }
  const call = page.locator('details#getStorage');
  for (const language of ['TypeScript', 'Python', 'curl']) {
    await page.getByRole('button', { name: language, exact: true }).last().click();
    await expect(call.getByRole('region', { name: `${language}: getStorage` })).toContainText(`Bearer ${key}`);
  }
  await call.getByLabel('Data').fill('{');
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByText('This is not JSON.')).toBeVisible();
  await call.getByLabel('Data').fill('null');
  await call.getByRole('button', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  await expect(call.getByRole('region', { name: 'Answer: getStorage' })).toContainText('"usedBytes"');

  // Its scope does not allow everything.
  await page.getByRole('searchbox', { name: 'Search the calls' }).fill('setFileTags');
  const refused = page.locator('details#setFileTags');
  await refused.locator('summary').click();
  await refused.getByRole('button', { name: 'Send' }).click();
  await expect(refused.getByRole('alert')).toContainText('The scope of this API key does not allow this.');
  await page.reload();
  await expect(page.getByLabel('API key', { exact: true })).toHaveValue('');
});

test('who is signed in tries calls as themselves, and finds the way to keys and back', async ({ admin: { page } }) => {
  await page.goto('/account/security');
  await page.getByRole('link', { name: 'How programs use a key' }).click();
  await expect(page.getByRole('heading', { name: 'Developers', level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the calls' }).fill('listUsers');
  const call = page.locator('details#listUsers');
  await call.locator('summary').click();
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByRole('region', { name: 'Answer: listUsers' })).toContainText('"role": "admin"');
  await page.getByRole('searchbox', { name: 'Search the calls' }).fill('no such call');
  await expect(page.getByText('No call has these words.')).toBeVisible();
  await page.getByRole('link', { name: 'Make one of the company' }).click();
  await expect(page).toHaveURL(/\/admin\/settings\/api-keys$/);
});

test('how events are received is found from the settings', async ({ admin: { page } }) => {
  await page.goto('/admin/settings/webhooks');
  await page.getByRole('link', { name: 'How programs receive events' }).click();
  await expect(page.getByRole('heading', { name: 'Receive events' })).toBeInViewport();
  await page
    .getByRole('region', { name: 'Receive events', exact: true })
    .getByRole('button', { name: 'Python' })
    .click();
  await expect(page.getByRole('region', { name: 'Receive events: Python' })).toContainText('def is_signed');
});
