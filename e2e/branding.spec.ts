import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '#client/client.ts';
import { test as base, expect } from './test.ts';
import { textAt } from './texts.ts';

/** The operator's logo lies on a server of its own. */
const test = base.extend({
  settings: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures off this
    async ({}, use: (settings: Record<string, string>) => Promise<void>) => {
      const logos = createServer((_request, response) =>
        response
          .setHeader('content-type', 'image/svg+xml')
          .end('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="28"><rect width="90" height="28"/></svg>'),
      ).listen(0, '127.0.0.1');
      await once(logos, 'listening');
      const address = logos.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      const LOGO_URL = `http://127.0.0.1:${address.port}/logo.svg`;
      await use({ BRAND_NAME: 'Acme & Sons', LOGO_URL, SALES_EMAIL: '' });
      logos.closeAllConnections();
      logos.close();
    },
    { scope: 'worker' },
  ],
});

test('another name, a logo from another origin, and a way to the sales team without settings for it', async ({
  app,
  browser,
}) => {
  // A page that may ask another host: the logo is there.
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  const sharesOf = async () => {
    const logo = page.getByRole('img', { name: 'Acme & Sons' });
    await expect(logo).toBeVisible();
    await expect(logo).toHaveJSProperty('naturalWidth', 90);
  };
  await page.goto('/pricing');
  await expect(page.getByRole('link', { name: textAt('pricing.contactSales') })).toHaveAttribute(
    'href',
    'mailto:sales@localhost',
  );
  await sharesOf();
  for (const path of ['/login', '/login?mode=forgotPassword', '/login?oobCode=', '/signup', '/pricing']) {
    await page.goto(path);
    await expect(page).toHaveTitle(/ · Acme & Sons$/);
  }

  const email = `mara-${crypto.randomUUID()}@acme.example`;
  const password = 'walk the long pier at dawn';
  const reply = await page.request.post('/v1/signUp', { data: { data: { companyName: 'Acme', email, password } } });
  const { idToken } = (await reply.json()).result;
  await createClient(app.url, idToken).upload('Note.txt', Buffer.from('The crane is inspected every March.'));
  const [file] = await createClient(app.url, idToken).filesWhenRead();
  await page.goto('/chat');
  await sharesOf();
  const admin = ['dashboard', 'documents', 'team', 'analytics', 'chat-agent', 'settings'].map(
    (name) => `/admin/${name}`,
  );
  for (const path of ['/chat', '/profile', '/nowhere', `/documents/${file?.id}/1`, ...admin]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await expect(page).toHaveTitle(/ · Acme & Sons$/);
  }
  await context.close();
});
