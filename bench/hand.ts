import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

export const password = 'walk the long pier at dawn';
export const email = 'mara@nordwind.example';

/** What a person does: each press of the mouse and each key counts, also those of a text that is typed. */
export interface Hand {
  page: Page;
  click: (target: Locator) => Promise<void>;
  type: (target: Locator, text: string) => Promise<void>;
  press: (key: string) => Promise<void>;
  /** Chooses files in the window that a click opens: two more clicks there, on the files and on its button. */
  choose: (opener: Locator, files: readonly Chosen[]) => Promise<void>;
}

export interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function handOf(page: Page) {
  const counted = { clicks: 0, keys: 0, typed: 0 };
  const hand: Hand = {
    page,
    async click(target) {
      counted.clicks++;
      await target.click();
    },
    async type(target, text) {
      // A field that has the focus is written into as it is.
      if (!(await target.evaluate((element) => element === element.ownerDocument.activeElement)))
        await hand.click(target);
      counted.typed += text.length;
      await target.fill(text);
    },
    async press(key) {
      counted.keys++;
      await page.keyboard.press(key);
    },
    async choose(opener, files) {
      const chooser = page.waitForEvent('filechooser');
      await hand.click(opener);
      counted.clicks += 2;
      await (await chooser).setFiles([...files]);
    },
  };
  return { hand, counted };
}

export function text(name: string, content: string): Chosen {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
}

export function sample(name: string): Chosen {
  return {
    name,
    mimeType: 'application/octet-stream',
    buffer: readFileSync(join(import.meta.dirname, '..', 'samples', 'files', name)),
  };
}
