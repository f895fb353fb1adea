import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { type Client, createClient } from '#client/client.ts';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { type RunningApp, startApp } from './app.ts';
import { codeIn, confirmEmail, mailTo } from './outbox.ts';
import { recordSeen, type TextPath, textAt } from './texts.ts';

/**
 * What the tests of one file share: a running app, with the `settings` of the file; and what each test gets: a company
 * of its own, signed in.
 */
interface Fixtures {
  /** A page that fails its test when the browser logs an error or asks another host for anything. */
  page: Page;
  /** An admin, signed up just now, standing on /chat. */
  admin: { page: Page; email: string; password: string; company: string; client: Client };
  /**
   * A member of the admin's company, come in by an invitation, signed in in a browser of their own, standing on /chat.
   */
  member: { page: Page; context: BrowserContext; email: string; password: string };
  /** Uploads samples for the admin's company, and waits until they are read. */
  uploaded: (...names: string[]) => Promise<void>;
}

export const test = base.extend<Fixtures, { app: RunningApp; settings: Record<string, string> }>({
  settings: [{}, { scope: 'worker', option: true }],
  app: [
    async ({ settings }, use) => {
      const app = await startApp({
        SALES_EMAIL: 'sales@nordwind.example',
        TERMS_URL: 'https://nordwind.example/terms',
        // All tests come from one address, and each has a company of its own.
        CODES_PER_ADDRESS: '10000',
        ...settings,
      });
      await use(app);
      await app.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ app }, use) => use(app.url),
  page: async ({ page, app }, use) => {
    const complaints = complaintsOf(page, app.url);
    // Browsers hide it from pages that another machine serves without TLS, as many do in a house of their own.
    await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
    await use(waitingForTheApp(page));
    expect(complaints).toEqual([]);
  },
  uploaded: async ({ admin: { client } }, use) => {
    await use(async (...names) => {
      for (const name of names) await client.upload(name, readFileSync(join('samples', 'files', name)));
      await client.filesWhenRead();
    });
  },
  member: async ({ admin, app, browser }, use) => {
    const { email, password } = await addMember(app, admin);
    const context = await browser.newContext({ baseURL: app.url });
    const page = waitingForTheApp(await context.newPage());
    const complaints = complaintsOf(page, app.url);
    await enter(page, 'signIn', { email, password });
    await page.goto('/chat');
    await use({ page, context, email, password });
    expect(complaints).toEqual([]);
    await context.close();
  },
  admin: async ({ page, app, settings }, use) => {
    const email = `admin-${crypto.randomUUID()}@nordwind.example`;
    const password = 'walk the long pier at dawn';
    const company = 'Nordwind Logistics';
    const { idToken } = await enter(page, 'signUp', { companyName: company, email, password });
    // Where nobody else may sign up, nobody is asked to confirm.
    if (settings.SIGNUP !== 'first') await confirmEmail(app, email);
    await page.goto('/chat');
    await use({ page, email, password, company, client: createClient(app.url, idToken) });
  },
});

/**
 * Has a page that is opened or loaded again stand as the app draws it, which the greeting of a new chat comes before;
 * `waitUntil: 'commit'`: as soon as it begins to come.
 */
function waitingForTheApp(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const isThere = async () => {
    if (new URL(page.url()).pathname !== '/chat') return;
    await expect(page.locator('#root > *')).not.toHaveCount(0);
    await expect(page.locator('[data-arriving]')).toHaveCount(0);
  };
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== 'commit') await isThere();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil !== 'commit') await isThere();
    return response;
  };
  return page;
}

/** Lets the page's browser in as the forms do, without filling them: they have tests of their own. */
export async function enter<Name extends 'signUp' | 'signIn'>(
  page: Page,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const reply = await page.request.post(`/v1/${name}`, { data: { data: input } });
  expect(reply.status()).toBe(200);
  return (await reply.json()).result;
}

/** Invites somebody into the admin's company, and accepts for them. */
export async function addMember(
  app: RunningApp,
  admin: { email: string; password: string },
): Promise<{ email: string; password: string }> {
  const email = `member-${crypto.randomUUID()}@nordwind.example`;
  const password = 'seven quiet boats at noon';
  const { email: adminEmail, password: adminPassword } = admin;
  const { idToken, user } = await createClient(app.url).call('signIn', { email: adminEmail, password: adminPassword });
  const client = createClient(app.url, idToken);
  const { emailConfirmed } = (await client.call('getSession', null)).user;
  if (!emailConfirmed) await confirmEmail(app, adminEmail);
  await client.call('inviteUser', { email, companyId: user.companyId });
  await createClient(app.url).call('confirmPasswordReset', {
    oobCode: codeIn(await mailTo(app, email)),
    newPassword: password,
  });
  return { email, password };
}

/** What a page does that it must not: errors in its console, requests to other hosts. Grows as it happens. */
function complaintsOf(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser reports every refused request; the refusals that a test provokes are asserted on the screen.
    if (message.text().startsWith('Failed to load resource')) return;
    complaints.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // To go to the payment provider's page is not to ask it for something.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return;
    if (protocol.startsWith('http') && origin !== url) complaints.push(`asked another host: ${request.url()}`);
  });
  return complaints;
}

/** Asserts that a text of the specification is on the screen, and notes it for `texts.test.ts`. */
export async function sees(scope: Page | Locator, path: TextPath, ...args: (string | number)[]): Promise<void> {
  const text = textAt(path, ...args);
  const found = scope
    .getByText(text, { exact: false })
    .or(scope.getByPlaceholder(text))
    .or(scope.getByRole('button', { name: text }))
    .or(scope.getByRole('link', { name: text }));
  await expect(found.filter({ visible: true }).first()).toBeVisible();
  recordSeen(path);
}

export { expect };

/** Signs in by the form. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  if (new URL(page.url(), 'http://localhost').pathname !== '/login') await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
}

/** Signs out by the button, and waits until the server knows: who opens a page before is let in once more. */
export async function logOut(page: Page): Promise<void> {
  const told = page.waitForResponse('**/v1/signOut');
  await page.getByRole('button', { name: textAt('admin.logout'), exact: true }).click();
  await told;
  await page.waitForURL('**/login');
}

/** The first number in an answer, which opens what it cites. */
export function firstChip(scope: Locator): Locator {
  return scope.getByRole('link', { name: /^Source 1: / }).first();
}

/** Asks a question in the chat, and waits for the whole answer. */
export async function ask(page: Page, question: string): Promise<Locator> {
  const input = page.getByPlaceholder(textAt('chat.placeholder'));
  const answers = page.getByRole('log').locator('[data-reading]');
  // A chat that is just being opened has no answers yet: they are counted once it is there.
  await input.fill(question);
  const before = await answers.count();
  await input.press('Enter');
  await expect(answers).toHaveCount(before + 1);
  await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  return answers.last();
}
