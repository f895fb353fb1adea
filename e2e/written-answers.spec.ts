/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { says, type Turn } from '#simulators/models/script.ts';
import type { ModelServer } from '#simulators/models/server.ts';
import { noViolations } from './inspect.ts';
import { test } from './scripted-model.ts';
import { ask, expect, firstChip } from './test.ts';
import { textAt } from './texts.ts';

/** Answers that a model writes, on the screen while they are written. */

const policy = `# Travel

Receipts must be handed in within 30 days.

A hotel in Berlin may cost 145 euros a night.

Parking at the station is paid back in full.
`;
const receipts = 'Receipts must be handed in within 30 days [1].';
const shapes: [name: string, text: string][] = [
  [
    'text',
    `${receipts} A hotel in Berlin may cost 145 euros a night [1]. Parking at the station is paid back in full [1].`,
  ],
  [
    'a list',
    `- ${receipts}\n- A hotel in Berlin may cost 145 euros a night [1].\n- Parking at the station is paid back in full [1].`,
  ],
  ['markers at the end', `${receipts.replace(' [1]', '')} Parking at the station is paid back in full [1].`],
  [
    'a table',
    `| Question | Answer |\n|---|---|\n| Receipts | ${receipts} |\n| Hotel in Berlin | A hotel in Berlin may cost 145 euros a night [1]. |\n\nParking at the station is paid back in full [1].`,
  ],
];

test.beforeEach(async ({ admin: { client } }) => {
  await client.upload('Travel.md', Buffer.from(policy));
  await client.filesWhenRead();
});

for (const [name, text] of shapes) {
  test(`${name}: words appear as being checked, become firm, and nothing moves; it is heard once`, async ({
    admin: { page },
    model,
  }) => {
    // With the first question the greeting becomes small.
    model.play(says(receipts));
    await ask(page, 'Within how many days must receipts be handed in?');
    await send(page, model, says(text, { pauseMs: 25 }));
    await expect(page.getByRole('log').locator('[data-reading]')).toHaveCount(2);
    const { checking, firmTooSoon, heard, shift } = await page.evaluate(() => window.watched);
    expect(checking).toBeGreaterThan(0);
    expect(firmTooSoon).toEqual([]);
    expect(heard).toBe(1);
    expect(shift).toBe(0);
    await noViolations(page);
  });
}

test('a table is one, for a screen reader too, and scrolls in its own box', async ({ admin: { page }, model }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await send(
    page,
    model,
    says(
      `| Question | Answer | Note |\n|---|---|---|\n| Receipts | ${receipts} | A hotel in Berlin may cost 145 euros a night [1]. |\n| Hotel in Berlin | A hotel in Berlin may cost 190 euros a night [1]. | |\n| Parking | Parking at the station is paid back in full [1]. | |`,
    ),
  );
  const table = page.getByRole('log').getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText(['Question', 'Answer', 'Note']);
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1).getByRole('link')).toHaveCount(1);
  await expect(table.getByRole('row').nth(2).getByRole('cell').nth(1)).toContainText(/not (checked|what)|no source/);
  await expect(table.getByRole('row').first()).not.toContainText('source');
  const wider = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.some((each) => each.scrollWidth > each.clientWidth));
  expect(await wider('[data-reading] [class*=table]')).toBe(true);
  expect(await wider('html, [aria-label=Conversation]')).toBe(false);
  await noViolations(page);
});

test('what is being written is no link and is not heard; stopped, only what was checked stays', async ({
  admin: { page },
  model,
}) => {
  await send(page, model, { pieces: [`${receipts} Parking at the sta`, 'tion is'], afterwards: 'hang' });
  const growing = page.locator('[data-growing]');
  await expect(growing.locator('[class*=checking]')).toContainText('Parking at the');
  await expect(growing.getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('log')).not.toContainText('Receipts must');
  await noViolations(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(growing).toHaveCount(0);
  const log = page.getByRole('log');
  await expect(log).toContainText('Receipts must be handed in within 30 days');
  await expect(log).toContainText('You stopped this answer.');
  await expect(log).not.toContainText('Parking at');
  await expect(log).not.toContainText('being checked');
});

test('a connection to the model that drops leaves what was proven, with a notice', async ({
  admin: { page },
  model,
}) => {
  await send(page, model, { pieces: [`${receipts} Parking at`, ' the'], afterwards: 'disconnect' });
  const log = page.getByRole('log');
  await expect(log).toContainText('The language model broke off here.');
  await expect(log).toContainText('Receipts must be handed in within 30 days');
  await expect(firstChip(log)).toBeVisible();
});

test('a connection to the browser that drops leaves what was proven, with a notice, and it stays', async ({
  admin: { page },
  app,
  model,
}) => {
  await send(page, model, { pieces: [`${receipts} Parking at the sta`, 'tion is'], afterwards: 'hang' });
  const growing = page.locator('[data-growing]');
  await expect(growing.getByRole('link')).toHaveCount(1);
  await expect(growing).toContainText('Parking at the');
  await app.killAndStart();
  const log = page.getByRole('log');
  const isKept = async () => {
    await expect(log).toContainText('The connection was lost here. What you see up to this point has been checked.');
    await expect(log).toContainText('Receipts must be handed in within 30 days');
    await expect(firstChip(log)).toBeVisible();
    await expect(log).not.toContainText('Parking at');
  };
  await isKept();
  await expect(growing).toHaveCount(0);
  await page.reload();
  await isKept();
  model.play(says('Parking at the station is paid back in full [1].'));
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(log).toContainText('Parking at the station is paid back in full');
  await expect(log).not.toContainText('The connection was lost here.');
});

declare global {
  interface Window {
    /** What was on the screen while an answer came. */
    watched: {
      /** Frames in which something stood there as being checked. */
      checking: number;
      /** Links to sources that stood in what was being checked. */
      firmTooSoon: string[];
      /** How often an answer came into what is read aloud. */
      heard: number;
      /** Sum of the layout's shifts. */
      shift: number;
    };
  }
}

/** Asks, and watches what is drawn until the answer is whole. */
async function send(page: Page, model: ModelServer, script: Turn): Promise<void> {
  model.play(script);
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  await input.fill('What is said about receipts, hotels and parking?');
  await page.evaluate(() => {
    window.watched = { checking: 0, firmTooSoon: [], heard: 0, shift: 0 };
    const { watched } = window;
    const log = document.querySelector('[role=log]');
    let begun = Number.POSITIVE_INFINITY;
    const isMine = (node: Node) => node instanceof Element && node.matches('[data-reading]');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) watched.heard += [...addedNodes].filter(isMine).length;
    }).observe(log ?? document, { childList: true });
    new MutationObserver(() => {
      if (document.querySelector('[data-growing]')) begun = Math.min(begun, performance.now());
      for (const each of document.querySelectorAll('[data-growing] [class*=checking]')) {
        watched.checking++;
        for (const link of each.querySelectorAll('a')) watched.firmTooSoon.push(link.textContent ?? '');
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    new PerformanceObserver((list) => {
      // What asking itself moves (the question stands among the recent ones) comes before the first word.
      for (const entry of list.getEntries())
        if (entry.startTime >= begun && 'value' in entry) watched.shift += Number(entry.value);
    }).observe({ type: 'layout-shift' });
  });
  await input.press('Enter');
}
