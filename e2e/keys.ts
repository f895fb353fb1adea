/// <reference lib="dom" />
import { expect, type Locator, type Page } from '@playwright/test';

/** Somebody who has keys alone. After each of them the focus is somewhere, and is seen there. */
export interface Keys {
  press: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Goes on by Tab, or back by Shift+Tab, until `wanted` has the focus, in the order in which the page is read. */
  to: (wanted: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
  /** The same, and presses Enter there. */
  enter: (wanted: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
  /** Asserts that the focus is on what is given, or comes to be, and is seen. */
  at: (wanted: Locator) => Promise<void>;
}

/** More than any page has stops on the way. */
const maxStops = 80;

export function keysOf(page: Page): Keys {
  const settled = async () => {
    // An answer on its way has the question wait, and what closes gives the focus back when it has gone.
    await expect.poll(() => troubleAt(page)).toBeNull();
  };
  const keys: Keys = {
    async press(...pressed) {
      for (const key of pressed) {
        await page.keyboard.press(key);
        await settled();
      }
    },
    async type(text) {
      await page.keyboard.insertText(text);
      await settled();
    },
    async to(wanted, key = 'Tab') {
      await expect(wanted).toHaveCount(1);
      await page.evaluate(() => window.beginStops());
      for (let stops = 0; stops < maxStops; stops++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press(key);
        const trouble = await page.evaluate((back) => window.stepOn(back), key === 'Shift+Tab');
        if (trouble !== null) throw new Error(trouble);
      }
      throw new Error(`The key ${key} does not lead to ${wanted}.`);
    },
    async enter(wanted, key) {
      await keys.to(wanted, key);
      await page.keyboard.press('Enter');
    },
    async at(wanted) {
      await expect.poll(() => wanted.evaluate(whatHasTheFocusInstead)).toBe('');
      await settled();
    },
  };
  return keys;
}

/** Puts into each page what looks where the focus is. Call it before the page is opened. */
export async function watchFocus(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let before: Element | null = null;
    let wraps = 0;
    const named = (element: Element) => element.outerHTML.replace(/>.*/s, '>').slice(0, 200);
    window.beginStops = () => {
      before = null;
      wraps = 0;
    };
    window.troubleOfFocus = () => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'The focus is lost.';
      // What is drawn for a control that is not seen itself is its label.
      const drawn =
        element instanceof HTMLInputElement && element.getBoundingClientRect().width < 2
          ? (element.labels?.[0] ?? element)
          : element;
      // A field without an edge of its own is marked by the edge around it.
      const isMarked = [drawn, drawn.closest('form')].some((each) => {
        const { outlineStyle, outlineWidth } = each ? getComputedStyle(each) : {};
        return each !== null && outlineStyle !== 'none' && outlineWidth !== '0px';
      });
      if (!isMarked) return `The focus is not marked on ${named(element)}`;
      for (let each: Element | null = drawn; each; each = each.parentElement)
        if (Number(getComputedStyle(each).opacity) < 0.9) return `The focus is on what is faint: ${named(element)}`;
      const { left, top, right, bottom } = drawn.getBoundingClientRect();
      const seen = {
        left: Math.max(left, 0),
        top: Math.max(top, 0),
        right: Math.min(right, innerWidth),
        bottom: Math.min(bottom, innerHeight),
      };
      if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1)
        return `The focus is out of sight: ${named(element)}`;
      const places = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [x, y] as const));
      const isSeen = places.some(([x, y]) => {
        const hit = document.elementFromPoint(
          seen.left + (seen.right - seen.left) * x,
          seen.top + (seen.bottom - seen.top) * y,
        );
        // A message lies over the page for a while.
        return hit !== null && (drawn.contains(hit) || hit.contains(drawn) || hit.closest('[role="alert"]') !== null);
      });
      return isSeen ? null : `Something lies over the focus: ${named(element)}`;
    };
    window.stepOn = (isBack) => {
      const element = document.activeElement;
      // Beyond the last and before the first the browser has its own.
      if (!element || element === document.body) {
        before = null;
        wraps += 1;
        return wraps > 2 ? 'The keys go round and do not come there.' : null;
      }
      const last = before;
      before = element;
      const trouble = window.troubleOfFocus();
      if (trouble !== null || !last?.isConnected) return trouble;
      const landmark = 'main, nav, aside, header, footer, dialog, [role="dialog"]';
      if (last.closest(landmark) !== element.closest(landmark)) return null;
      const [one, other] = isBack ? [element, last] : [last, element];
      const from = one.getBoundingClientRect();
      const to = other.getBoundingClientRect();
      const isAbove = to.bottom <= from.top && to.left < from.right && from.left < to.right;
      // From the last one it goes on with the first.
      const isRound = !(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
      return isAbove && !isRound ? `From ${named(one)} it goes up to ${named(other)}` : null;
    };
  });
}

function whatHasTheFocusInstead(wanted: Element): string {
  const { activeElement } = document;
  return activeElement === wanted ? '' : (activeElement?.outerHTML.slice(0, 300) ?? 'nothing');
}

function troubleAt(page: Page): Promise<string | null> {
  // While another page is being opened there is nothing to ask.
  return page.evaluate(() => window.troubleOfFocus()).catch((error: unknown) => String(error));
}

declare global {
  interface Window {
    beginStops: () => void;
    /** What is wrong with where the focus is; null: nothing. */
    troubleOfFocus: () => string | null;
    /** The same of one more step of the Tab key, and with its order. */
    stepOn: (isBack: boolean) => string | null;
  }
}
