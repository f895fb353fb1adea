/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { noViolations } from './inspect.ts';
import { ask, expect, firstChip, sees, test } from './test.ts';
import { textAt } from './texts.ts';

const question = 'Which number do I call to block a lost company card?';

test('stopped: the request ends, what has come stays, and the question can be asked again', async ({
  admin: { page },
}) => {
  await answersSlowly(page, [
    { type: 'token', text: 'A hotel may cost 145 euros [1]. More than that ' },
    { type: 'token', text: 'has to be' },
  ]);
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await input.fill('How much may a hotel cost?');
  await input.press('Enter');
  const log = page.getByRole('log');
  await expect(page.locator('[data-growing]')).toContainText('More than that has to be');
  await expect(log).toHaveAttribute('aria-busy', 'true');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(log).toContainText('You stopped this answer.');
  await expect(log).toContainText('A hotel may cost 145 euros. More than that has to be');
  expect(await page.evaluate(() => document.documentElement.dataset.aborted)).toBe('1');
  await expect(input).toBeFocused();
  await noViolations(page);
  await log.getByRole('button', { name: 'Ask again' }).click();
  await expect(log).toHaveAttribute('aria-busy', 'true');
  await expect(log.getByText('You stopped this answer.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(log.getByText('You stopped this answer.')).toHaveCount(1);
});

test('asked again: the new answer takes the place of the old one, which stays when there is none', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await ask(page, question);
  const log = page.getByRole('log');
  const answers = log.locator('[data-reading]');
  const queries = page.waitForRequest('**/v1/query');
  await log.getByRole('button', { name: 'Ask again' }).click();
  expect((await queries).postDataJSON().data.history).toEqual([{ role: 'user', parts: [{ text: question }] }]);
  await expect(firstChip(log)).toBeVisible();
  await expect(answers).toHaveCount(1);
  await expect(log.getByRole('heading', { name: question })).toHaveCount(1);

  await page.route('**/v1/query', (route) =>
    route.fulfill(failure('RESOURCE_EXHAUSTED', 'Too many questions. Try again in 12 seconds.')),
  );
  await log.getByRole('button', { name: 'Ask again' }).click();
  await sees(log, 'chat.errorPrefix');
  await expect(log).toContainText('Too many questions. Try again in 12 seconds.');
  await expect(page.getByRole('complementary', { name: 'Files and questions' })).toContainText('Too many questions.');
  await expect(firstChip(log)).toBeVisible();
  await noViolations(page);
  await page.unroute('**/v1/query');
  await log.getByRole('button', { name: 'Try again' }).click();
  await expect(log.getByText('Too many questions.')).toHaveCount(0);
  await expect(answers).toHaveCount(1);
});

test('a reply that is lost on its way: asked again, also after a reload, it is the answer that was stored', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const keys: (string | undefined)[] = [];
  const answers: string[] = [];
  let isLost = true;
  await page.route('**/v1/query', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    answers.push(/"queryId":"([^"]+)"/.exec(await response.text())?.[1] ?? '');
    await (isLost ? route.abort('connectionreset') : route.fulfill({ response }));
  });
  const log = page.getByRole('log');
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await input.fill(question);
  await input.press('Enter');
  await sees(log, 'chat.errorPrefix');
  await page.reload();
  await sees(log, 'chat.errorPrefix');
  isLost = false;
  await log.getByRole('button', { name: 'Try again' }).click();
  await expect(firstChip(log)).toBeVisible();
  await log.getByRole('button', { name: 'Ask again' }).click();
  await expect.poll(() => answers.length).toBe(3);
  const [lost, again, anew] = answers;
  expect(again).toBe(lost);
  expect(anew).not.toBe(lost);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
});

test('loaded again before the answer has come: the question can be tried again, as it was asked', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf', 'Häufige Fragen Personal.md');
  await page.getByRole('button', { name: 'Filters' }).click();
  const panel = page.getByRole('region', { name: 'Filters' });
  await panel.getByRole('checkbox', { name: 'Travel policy 2026.pdf' }).check();
  await page.keyboard.press('Escape');
  await answersSlowly(page, [{ type: 'token', text: 'You call ' }]);
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await input.fill(question);
  await input.press('Enter');
  await expect(page.locator('[data-growing]')).toContainText('You call');
  await page.reload();
  const log = page.getByRole('log');
  await expect(log.getByRole('heading', { name: question })).toBeVisible();
  await expect(log).toContainText('This question has no answer yet.');
  const again = log.getByRole('button', { name: 'Try again' });
  await noViolations(page);
  await expect(page.getByRole('list', { name: 'Only these are searched' })).toContainText('Travel policy 2026.pdf');
  const queries = page.waitForRequest('**/v1/query');
  await again.click();
  expect((await queries).postDataJSON().data.filters.documentIds).toHaveLength(1);
  await expect(firstChip(log)).toBeVisible();
  await expect(again).toHaveCount(0);

  // Asked once more, the answer that is there stays until the new one has come.
  await answersSlowly(page, []);
  await log.getByRole('button', { name: 'Ask again' }).click();
  await expect(firstChip(log)).toHaveCount(0);
  await page.reload();
  await expect(firstChip(log)).toBeVisible();
});

function failure(status: string, message: string) {
  return {
    contentType: 'text/event-stream',
    body: `data: ${JSON.stringify({ error: { status, message } })}\n\n`,
  };
}

/** Stands in for a server that takes its time: sends the messages, and then nothing until the page gives up. */
async function answersSlowly(page: Page, messages: object[]): Promise<void> {
  await page.evaluate(
    (events) => {
      const real = window.fetch;
      window.fetch = async (input, init) => {
        if (!String(input).endsWith('/v1/query')) return real(input, init);
        const body = new ReadableStream({
          start(stream) {
            for (const event of events) stream.enqueue(new TextEncoder().encode(event));
            init?.signal?.addEventListener('abort', () => {
              document.documentElement.dataset.aborted = '1';
              stream.error(init.signal?.reason);
            });
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
    },
    messages.map((message) => `data: ${JSON.stringify({ message })}\n\n`),
  );
}
