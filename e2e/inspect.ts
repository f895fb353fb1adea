/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** How every screen is looked at. */
export const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

/** Asserts that everybody can use what is on the screen now, and that nothing runs over its edge. */
export async function inspect(page: Page): Promise<void> {
  await atRest(page);
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

/** Resolves when what fades or slides in has come: half seen, its colours are nobody's. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
    // One that is called off has come to an end, too.
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
