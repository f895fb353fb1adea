/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The widths at which every screen is looked at: a desk's and a phone's. */
export const widths = [1440, 360] as const;

/** Asserts that everybody can use what is on the screen now, in light and in dark, and that nothing runs over its edge. */
export async function inspect(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  // Colours alone change with the scheme, so one load of the page serves both.
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await atRest(page);
    // The pages of a PDF are its author's, contrast and all.
    const { violations } = await new AxeBuilder({ page }).exclude('.react-pdf__Page').analyze();
    expect(
      violations.map(
        ({ id, nodes }) => `${page.url()} ${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      ),
    ).toEqual([]);
  }
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

/** Asserts that axe finds nothing on what is shown now. */
export async function noViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
