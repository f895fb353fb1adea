/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ask, expect, test } from './test.ts';

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 800 } });

    test('signed out', async ({ page }) => {
      for (const path of ['/login', '/signup', '/pricing']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await inspect(page);
      }
    });

    test('signed in', async ({ admin: { page }, uploaded }) => {
      await uploaded('Travel policy 2026.pdf', 'Onboarding checklist.md');
      const answer = await ask(page, 'How much may a hotel in Berlin cost?');
      await inspect(page);
      const cited = await answer
        .getByRole('link', { name: /^Source 1/ })
        .first()
        .getAttribute('href');
      for (const path of [cited ?? '', '/admin/dashboard', '/profile', '/nowhere']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await inspect(page);
      }
    });
  });
}

async function inspect(page: Page): Promise<void> {
  // The pages of a PDF are its author's, contrast and all.
  const { violations } = await new AxeBuilder({ page }).exclude('.react-pdf__Page').analyze();
  expect(violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
    [],
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}
