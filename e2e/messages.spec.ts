/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { noViolations } from './inspect.ts';
import { keepMessages } from './keep-messages.ts';
import { ask, expect, firstChip, test } from './test.ts';
import { textAt } from './texts.ts';

/** Messages over the page lie over nothing that is in use, nor over what could not be scrolled out from below them. */

const controls = 'a[href], button, input, select, textarea';

for (const width of [1440, 1024, 800, 390, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: width < 600 ? 640 : 800 } });

    test('a message covers nothing that is in use', async ({ admin: { page, client }, uploaded }) => {
      await keepMessages(page);
      await uploaded('Travel policy 2026.pdf');
      for (let n = 0; n < 12; n++) await client.upload(`Jetty ${n}.txt`, Buffer.from('Dogs must be kept on a lead.'));
      await client.filesWhenRead();
      await page.goto('/chat');
      const answer = await ask(page, 'How much may a hotel in Berlin cost?');
      if (width >= 900) {
        await firstChip(answer).click();
        await expect(page.getByRole('complementary', { name: 'Document' }).locator('mark').first()).toBeVisible();
      }
      const newChat = page.getByRole('button', { name: 'New chat' });
      if (!(await newChat.isVisible())) await page.getByRole('button', { name: 'Files and questions' }).click();
      await newChat.click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const message = page.locator('.mantine-Notification-root');
      await expect(message).toContainText('A new chat has begun.');
      await page.getByRole('button', { name: 'Filters' }).click();
      await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible();
      // What lies below the filters is not in use meanwhile.
      const inUse = page.locator('[data-in-use]').locator(controls);
      await coversNothing(page, inUse);
      await page.context().setOffline(true);
      await expect(page.getByRole('status', { name: 'Connection' })).toContainText('You’re offline.');
      await coversNothing(page, inUse);
      await noViolations(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('region', { name: 'Filters' })).toHaveCount(0);
      await coversNothing(page);
      await page.context().setOffline(false);
      await message.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('log')).toContainText('Berlin');
      await page.getByRole('button', { name: 'Not helpful' }).click();

      await page.goto('/admin/documents');
      await page.getByRole('button', { name: 'Delete Jetty 3.txt', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect(message).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('checkbox', { name: 'Select Jetty 1.txt', exact: true }).check();
      const bar = page.getByRole('region', { name: 'With the selected documents' });
      await expect(bar).toBeVisible();
      await coversNothing(page, bar.getByRole('button'));
      await toTheEnd(page);
      await coversNothing(page);
      // A window that is longer than the screen, with its buttons at the end.
      await page.getByRole('button', { name: textAt('documents.upload') }).click();
      const upload = page.getByRole('dialog', { name: textAt('documents.upload') });
      await page.getByLabel('Files to upload').setInputFiles(
        Array.from({ length: 30 }, (_, n) => ({
          name: `Quay ${n}.txt`,
          mimeType: 'text/plain',
          buffer: Buffer.from(`The quay ${n} is long.`),
        })),
      );
      await expect(upload.getByRole('button', { name: 'Upload 30 file(s)' })).toBeVisible();
      await coversNothing(page, upload.locator('[data-in-use]').getByRole('button'));
      await page.keyboard.press('Escape');

      await page.goto('/admin/team');
      const invited = `ann-${crypto.randomUUID()}@nordwind.example`;
      await page.getByLabel('Email of the person to invite').fill(invited);
      await page.getByRole('button', { name: 'Send Invite' }).click();
      await page.getByRole('button', { name: `Withdraw the invitation of ${invited}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(message).toBeVisible();
      await toTheEnd(page);
      await coversNothing(page);
    });
  });
}

/** Everything that scrolls stands at its end. */
async function toTheEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of [document.documentElement, ...document.querySelectorAll('main, main *')])
      if (each.scrollHeight > each.clientHeight) each.scrollTop = each.scrollHeight;
  });
}

/** Asserts that messages are there, and lie neither over one another nor over what is given, or any control. */
async function coversNothing(page: Page, given = page.locator(controls)) {
  await expect
    .poll(() =>
      given.evaluateAll((controls) => {
        const messages = [...document.querySelectorAll('.mantine-Notification-root, [data-message] > *')];
        if (messages.length === 0 || controls.length === 0) return ['there is nothing to look at'];
        const boxes = messages.map((each) => each.getBoundingClientRect());
        const isOver = (a: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>, b: typeof a) =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const covered = controls
          .filter((each) => each.checkVisibility() && !messages.some((message) => message.contains(each)))
          .filter((control) => {
            const { left, right, ...box } = control.getBoundingClientRect().toJSON() as DOMRect;
            let { top, bottom } = box;
            // Of what is in a list that scrolls, what of it is seen.
            for (let around = control.parentElement; around; around = around.parentElement) {
              if (getComputedStyle(around).overflowY === 'visible' || around === document.documentElement) continue;
              const seen = around.getBoundingClientRect();
              top = Math.max(top, seen.top);
              bottom = Math.min(bottom, seen.bottom);
            }
            return bottom - top >= 1 && boxes.some((each) => isOver(each, { left, right, top, bottom }));
          })
          .map((each) => each.outerHTML.slice(0, 160));
        const crossed = boxes.filter((each, n) => boxes.some((other, m) => m > n && isOver(each, other)));
        const lost = boxes.filter(({ top, bottom }) => top < 0 || bottom > innerHeight);
        return [...covered, ...[...crossed, ...lost].map((each) => JSON.stringify(each))];
      }),
    )
    .toEqual([]);
}
