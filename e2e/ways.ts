/// <reference lib="dom" />
import { expect, type Page, type Request } from '@playwright/test';

/** Where one stands and what is pressed there: pressed once in all, on whatever plan it is met first. */
export type Pressed = Set<string>;

/** Signs out, or leads to where nobody is signed in: has tests of its own. */
const leavesForGood = /^(Logout|Sign out)$/;

/**
 * Walks every link and presses every button that can be reached from a page.
 * @param pressesOn of which pages the buttons are pressed, too
 * @returns the paths that were reached, ids left out
 */
export async function walk(
  page: Page,
  from: readonly string[],
  pressed: Pressed,
  pressesOn: (place: string) => boolean = () => true,
): Promise<Set<string>> {
  const traffic = trafficOf(page);
  const waiting = [...from];
  const reached = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    if (reached.has(kind)) continue;
    reached.add(kind);
    await arrive(page, path);
    waiting.push(...(await linksOf(page)));
    if (pressesOn(kind)) await pressAll(page, path, pressed, traffic);
  }
  return reached;
}

/** Documents are all one screen, and so is a page whatever is asked of it. */
function kindOf(path: string): string {
  return path.replace(/[?#].*$/, '').replace(/^\/documents\/.*/, '/documents/:documentId/:version');
}

/** The page is one, and says so. */
async function arrive(page: Page, path: string): Promise<void> {
  // A press may have led elsewhere by a call that is answered only now: whichever comes last, it is this page in the
  // end.
  await expect(() => page.goto(path)).toPass();
  // In the page, at each frame: an expectation asks twice a second after the first moments, and there are hundreds.
  await page.waitForFunction(
    () => {
      const headings = [...document.querySelectorAll('h1, h2, h3, [role="heading"]')];
      const isComing = /^Loading(\.\.\.|…)$/m.test(document.body.innerText);
      const isBusy = document.querySelector('[aria-busy="true"]') !== null;
      return headings.some((each) => each.checkVisibility()) && !isComing && !isBusy;
    },
    undefined,
    { timeout: 45_000 },
  );
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Page not found' })).toHaveCount(0);
  await expect(page.getByText(/^Loading(\.\.\.|…)$/)).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/**
 * Where the links of a page lead within the product; those that leave it lead to a mail or to what the operator set.
 */
async function linksOf(page: Page): Promise<string[]> {
  const { origin } = new URL(page.url());
  const links = page.getByRole('link').filter({ visible: true });
  const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  const paths: string[] = [];
  for (const href of new Set(hrefs)) {
    const { origin: to, pathname, search, protocol } = new URL(href);
    // The bytes of an original are no page, nor is the API document, nor are the payment provider's invoices one of
    // ours.
    const isElsewhere = /^\/(files\/|assets\/|openapi\.json$)/.test(pathname) || new URL(href).hostname === '127.0.0.1';
    if (isElsewhere) expect((await page.request.get(href)).status()).toBe(200);
    else if (to === origin) paths.push(pathname + search);
    else
      expect(
        protocol === 'mailto:' || href === 'https://nordwind.example/terms',
        `${page.url()} leads to ${href}`,
      ).toBe(true);
  }
  return paths;
}

/** What can be pressed, and is not what is chosen already. */
const pressable =
  'button:not(:disabled, [aria-disabled="true"], [aria-pressed="true"], [aria-hidden="true"], [tabindex="-1"])';

async function pressAll(page: Page, path: string, pressed: Pressed, traffic: Traffic): Promise<void> {
  const place = kindOf(path);
  for (let found = await nextOf(page, place, pressed); found; found = await nextOf(page, place, pressed)) {
    pressed.add(found.key);
    expect(found.name, `a button without a name on ${place}`).not.toBe('');
    await traffic.settled();
    const before = { shown: await shownOn(page), count: traffic.count() };
    await pressOne(page, found, place);
    // What a press has opened or begun is gone with the page, for the next one.
    if (!(await isClosedAgain(page, traffic, before))) await arrive(page, path);
  }
}

/** Everything that is read on the page, and where it is. */
const shownOn = (page: Page) => page.evaluate(() => location.href + document.body.innerText);

/**
 * Whether a press has only opened something in the page that Escape closes: with nothing asked of the server the page
 * is as it was, and need not be loaded anew. Where that is not seen soon, it is loaded.
 */
async function isClosedAgain(page: Page, traffic: Traffic, before: { shown: string; count: number }): Promise<boolean> {
  if (traffic.count() !== before.count) return false;
  await page.keyboard.press('Escape');
  const isAsBefore = await page
    .evaluate(async (shown) => {
      for (let frames = 0; frames < 30; frames++) {
        await new Promise((drawn) => requestAnimationFrame(drawn));
        if (location.href + document.body.innerText === shown) return true;
      }
      return false;
    }, before.shown)
    .catch(() => false);
  return isAsBefore && traffic.count() === before.count;
}

interface Found {
  key: string;
  name: string;
}

/** A button that has not been pressed yet; the same in each row of a list is one, and what stands on every page too. */
async function nextOf(page: Page, place: string, pressed: Pressed): Promise<Found | null> {
  const all = await page
    .locator(pressable)
    .filter({ visible: true })
    .evaluateAll((buttons) =>
      buttons.map((each) => ({
        name: (each.getAttribute('aria-label') ?? each.textContent ?? '').trim(),
        isEverywhere: each.closest('main') === null,
      })),
    );
  const named = all.map(({ name, isEverywhere }) => ({
    name,
    key: `${isEverywhere ? 'everywhere' : place} ${name.replace(/\d+|\S+@\S+|\S+ ?\S+\.(txt|md|docx|pdf)/g, '*')}`,
  }));
  return named.find(({ name, key }) => !leavesForGood.test(name) && !pressed.has(key)) ?? null;
}

interface Traffic {
  /** Waits until the page has all that it has asked for, so that what comes after a press comes of it. */
  settled(): Promise<void>;
  /** How often the page has asked for something, gone elsewhere, or handed something to the browser. */
  count(): number;
}

function trafficOf(page: Page): Traffic {
  const underWay = new Set<Request>();
  let count = 0;
  const note = () => {
    count += 1;
  };
  page.on('request', (request) => {
    // The list of files is followed for as long as a page is open.
    if (request.url().endsWith('/v1/watchFiles')) return;
    note();
    underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('framenavigated', () => underWay.clear());
  for (const event of ['framenavigated', 'download', 'filechooser', 'popup'] as const) page.on(event as 'popup', note);
  return {
    async settled() {
      await expect.poll(() => underWay.size, { message: `${page.url()} still waits for something` }).toBe(0);
      // What has come is drawn.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    },
    count: () => count,
  };
}

/** Presses a button, and waits until anything at all has come of it. */
export async function pressOne(
  page: Page,
  { name }: Pick<Found, 'name'>,
  place: string,
  timeout?: number,
): Promise<void> {
  let happened = 0;
  const note = () => {
    happened += 1;
  };
  const stops = [watch('request'), watch('download'), watch('filechooser'), watch('popup'), watch('framenavigated')];
  const button = page
    .locator(pressable)
    .filter({ visible: true })
    .and(page.getByLabel(name, { exact: true }).or(page.locator('button', { hasText: name })))
    .first();
  await button.evaluate((each) => {
    const seen = { changes: 0 };
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      seen.changes += changes.length;
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    each.addEventListener('click', () => Object.assign(window, { pressedAt: each }), { once: true });
  });
  await button.click();
  // Another page has no such count; and to lead the focus elsewhere is something, too.
  const changed = () =>
    page.evaluate(() => {
      const { seen, pressedAt } = window as unknown as { seen?: { changes: number }; pressedAt?: Element };
      return !seen || seen.changes > 0 || (pressedAt !== undefined && document.activeElement !== pressedAt);
    });
  await expect
    .poll(async () => happened > 0 || (await changed().catch(() => true)), {
      message: `nothing comes of "${name}" on ${place}`,
      ...(timeout !== undefined && { timeout }),
    })
    .toBe(true);
  for (const stop of stops) stop();

  function watch(event: 'request' | 'download' | 'filechooser' | 'popup' | 'framenavigated') {
    page.on(event as 'request', note);
    return () => page.off(event as 'request', note);
  }
}
