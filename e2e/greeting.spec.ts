/// <reference lib="dom" />
import { expect, test } from './test.ts';
import { textAt } from './texts.ts';

test('a question is written and asked at the greeting, before the app behind it is there', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  const held: (() => Promise<void>)[] = [];
  await page.route('**/assets/app-*.js', async (route) => {
    await new Promise<void>((go) => held.push(async () => go()));
    await route.continue();
  });
  const field = page.getByPlaceholder(textAt('chat.placeholder'));
  const opening = page.locator('[data-arriving]');
  await page.goto('/chat', { waitUntil: 'commit' });
  await expect(opening.getByText(/What would you like to know/)).toBeVisible();
  await field.fill('How much may a hotel in');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.();
  await expect(opening).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.type('with breakfast ');
  await expect(field).toHaveValue('How much may a hotel with breakfast in');

  await field.fill('');
  await page.goto('/chat', { waitUntil: 'commit' });
  await expect(opening.getByText(/What would you like to know/)).toBeVisible();
  await field.fill('How much may a hotel in Berlin cost?');
  await page.keyboard.press('Enter');
  await expect(opening.getByRole('heading', { name: 'How much may a hotel in Berlin cost?' })).toBeVisible();
  await expect.poll(() => held.length).toBe(2);
  await held[1]?.();
  await expect(page.getByRole('log').locator('[data-reading]')).toContainText('Berlin');
  await expect(field).toHaveValue('');
});

test('there is a field for the question at every moment, from the greeting on', async ({ admin: { page } }) => {
  await page.addInitScript(() => {
    window.fields = [];
    const look = () => {
      const isThere = document.querySelector('#question') !== null;
      if (window.fields.at(-1) !== isThere) window.fields.push(isThere);
    };
    // Told of every drawing, before anything else can happen: a key that is pressed without a field is lost.
    new MutationObserver(look).observe(document, { subtree: true, childList: true });
  });
  for (let load = 0; load < 3; load++) {
    await page.goto('/chat');
    await expect(page.getByPlaceholder(textAt('chat.placeholder'))).toBeFocused();
    // Once it is there it stays. Whether the page was looked at before is a matter of how its text has come.
    const fields = await page.evaluate(() => window.fields);
    expect(fields.slice(fields.indexOf(true))).toEqual([true]);
  }
});

test('an admin’s page is there as soon as what stands around it', async ({ admin: { page } }) => {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('nav a[href="/admin/documents"]') === null) return;
      window.pageAtFirst = document.querySelector('main h1')?.textContent ?? '';
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true });
  });
  await page.goto('/admin/team');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => window.pageAtFirst)).toBe('Team');
});

declare global {
  interface Window {
    /** The heading of the page when the links around it were first drawn. */
    pageAtFirst: string;
    /** Whether there was a field for the question, from drawing to drawing. */
    fields: boolean[];
  }
}

test('the greeting is read from its beginning where it does not fit, and a long question leaves room for its answer', async ({
  admin: { page },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf', 'Staff handbook.docx');
  const conversation = page.getByRole('region', { name: 'Conversation', exact: true });
  await page.setViewportSize({ width: 360, height: 420 });
  await page.goto('/chat');
  await expect(page.getByRole('list', { name: 'Questions to begin with' })).toBeAttached();
  expect(await conversation.evaluate(({ scrollTop }) => scrollTop)).toBe(0);

  await page.setViewportSize({ width: 1440, height: 900 });
  const field = page.getByPlaceholder(textAt('chat.placeholder'));
  await field.fill('What may a hotel in Berlin cost? '.repeat(150));
  await field.press('Enter');
  await expect(page.locator('[data-reading]')).toBeInViewport();
});
