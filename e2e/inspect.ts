/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The widths at which every screen is looked at: a desk's and a phone's. */
export const widths = [1440, 360] as const;

const heading = 'page-has-heading-one';

/**
 * Asserts that everybody can use what is on the screen now, in light and in dark, and that nothing runs over its edge.
 */
export async function inspect(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await isThere(page);
  // Colours alone change with the scheme, so one load of the page serves both.
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await atRest(page);
    // The pages of a PDF are its author's, contrast and all.
    const violations = await violationsOf(axeOn(page).exclude('.react-pdf__Page'));
    expect(violations.map((each) => `${page.url()} ${colorScheme} ${each}`)).toEqual([]);
  }
}

/**
 * The same of a state that is passed through: at a desk in light and on a phone in dark, which together is all that is
 * drawn otherwise.
 */
export async function inspectBoth(page: Page, { without = [] }: { without?: string[] } = {}): Promise<void> {
  if (!without.includes(heading)) await isThere(page);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: width === 1440 ? 'light' : 'dark' });
    await atRest(page);
    const violations = await violationsOf(axeOn(page).disableRules(without));
    expect(violations.map((each) => `${page.url()} ${width} ${each}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 800 });
}

/**
 * Every rule of axe, of whose results the violations alone are written out, in the page itself: the product has no
 * frames, for which a second page would be opened each time. It finds the same in less than half the time.
 */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whatever stands around a page (a tray, a banner) may be there before the page's own code has come. */
async function isThere(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
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
  expect(await violationsOf(axeOn(page))).toEqual([]);
}

/**
 * The cells of tables whose text cannot be read: it has no width, stands outside of its cell or of the window, or is
 * cut without saying so (an ellipsis, and the whole on pointing at it).
 */
export function illegibleCells(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const minWidth = 24;
    const problems: string[] = [];
    for (const cell of document.querySelectorAll('table td, table th')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement;
        if (!parent || text.textContent?.trim() === '' || parent.closest('option')) continue;
        const around: Element[] = [];
        for (let each: Element | null = parent; each; each = each.parentElement) around.push(each);
        // What is there for who hears the page.
        if (around.some((each) => getComputedStyle(each).clipPath !== 'none')) continue;
        const say = (what: string) => problems.push(`${text?.textContent} ${what}`);
        const range = document.createRange();
        range.selectNodeContents(text);
        const { width } = range.getBoundingClientRect();
        const box = cell.getBoundingClientRect();
        if (width < 1 || box.width < minWidth) say(`is ${width} px wide in ${box.width} px`);
        const cutting = around.find(
          (each) =>
            cell.contains(each) &&
            getComputedStyle(each).overflowX !== 'visible' &&
            each.scrollWidth > each.clientWidth,
        );
        if (cutting) {
          const told = getComputedStyle(cutting).textOverflow === 'ellipsis' && parent.closest('[title]') !== null;
          if (!told || cutting.clientWidth < minWidth) say(`is cut to ${cutting.clientWidth} px`);
        } else {
          const { left, right } = range.getBoundingClientRect();
          if (left < box.left - 1 || right > box.right + 1)
            say(`leaves its cell by ${Math.max(box.left - left, right - box.right)} px`);
          if (right > window.innerWidth || left < 0) say('leaves the window');
        }
      }
    }
    return problems;
  });
}
