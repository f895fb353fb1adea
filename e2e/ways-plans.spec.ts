import { planNames, plans } from '#contract/plans.ts';
import { payOutside } from './paying.ts';
import { addMember, enter, expect, test } from './test.ts';
import { pressOne, walk } from './ways.ts';

test.use({ settings: { BILLING: 'stripe' } });

// Each presses some eighty buttons, and loads the page anew after most.
test.describe.configure({ timeout: 600_000 });

/** Where each line of the pricing page is in the product, or who keeps it. */
const kept: Record<string, { path: string; sees: RegExp } | 'people'> = {
  'Up to 10 users': { path: '/admin/team', sees: /of 10 seats/ },
  'Core AI document search': { path: '/chat', sees: /^Type your message here/ },
  'PDF and common file formats': { path: '/admin/dashboard', sees: /Upload Documents/ },
  'Email support': 'people',
  'Basic search analytics': { path: '/admin/analytics', sees: /How much is asked\?/ },
  'Up to 25 users': { path: '/admin/team', sees: /of 25 seats/ },
  'Advanced AI search with filters': { path: '/chat', sees: /^Filters?/ },
  'Priority email support': 'people',
  'Usage analytics and reporting': { path: '/admin/analytics', sees: /Monthly report/ },
  'Team management tools': { path: '/admin/team', sees: /Last sign-in/ },
  'API access': { path: '/admin/settings/api-keys', sees: /Create a key/ },
  'Unlimited users': { path: '/admin/team', sees: /1 person/ },
  'White-label options': { path: '/admin/settings/branding', sees: /Accent colour/ },
  'Dedicated customer success manager': 'people',
  'Phone and email support': 'people',
  'Custom integrations': { path: '/admin/settings/webhooks', sees: /Add a webhook/ },
  'Advanced security features': { path: '/admin/settings/audit', sees: /Everything that was done/ },
  'Priority feature requests': 'people',
};

/** What depends on what is paid; the rest is pressed where nothing is. */
const depends = /^\/(chat|admin\/(team|analytics)|admin\/settings\/(billing|branding|audit|api-keys|webhooks))$/;

/** Of all plans, in this order: what has been pressed without one need not be on the next. */
const pressed = new Set<string>();
const pressedByMembers = new Set<string>();

for (const plan of [null, ...planNames]) {
  test(`${plan ?? 'without a plan'}: each link and button leads somewhere, and each promise is kept`, async ({
    page,
    app,
    browser,
  }) => {
    const account = { email: `admin-${crypto.randomUUID()}@nordwind.example`, password: 'walk the long pier at dawn' };
    const price = plan === 'basic' || plan === 'professional' ? { priceId: `${plan}_annual` } : {};
    const { user, checkout } = await enter(page, 'signUp', { companyName: 'Nordwind', ...account, ...price });
    if (checkout) {
      await payOutside(checkout.url);
      // The success screen is where the payment is read.
      await page.goto('/profile');
      await expect(page.getByText('Your subscription is now active.')).toBeVisible();
    }
    if (plan === 'enterprise') await app.company('set-plan', user.companyId, plan);
    const reached = await walk(page, ['/chat', '/profile', '/pricing'], pressed, (place) => depends.test(place));
    expect(reached).toContain('/admin/settings/audit');
    if (plan === 'basic') {
      await page.goto('/admin/settings/api-keys');
      await expect(page.getByText('API keys are part of the Professional plan.')).toBeVisible();
      // Nothing is said of keys where there are none.
      await expect(page.getByText('There are no keys yet.')).toBeVisible();
      await expect(page.getByText('that are here')).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Create a key' })).toHaveCount(0);
      await page.goto('/admin/settings/webhooks');
      await expect(page.getByText('Webhooks are part of the Enterprise plan.')).toBeVisible();
      await expect(page.getByText('There are no webhooks yet.')).toBeVisible();
      await expect(page.getByText('that are here')).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Add a webhook' })).toHaveCount(0);
      await page.goto('/admin/settings/security');
      const allowed = page.getByRole('region', { name: 'Allowed addresses' });
      await expect(allowed).toContainText('People come in from your own network alone in the Enterprise plan.');
      await expect(allowed.getByRole('button')).toHaveCount(0);
    }

    for (const line of plan === null ? [] : plans[plan].selling) {
      const place = kept[line];
      expect(place, `nobody says where "${line}" is`).toBeDefined();
      if (typeof place !== 'object') continue;
      await page.goto(place.path);
      const seen = page.getByText(place.sees).or(page.getByPlaceholder(place.sees));
      await expect(seen.filter({ visible: true }).first()).toBeVisible();
    }

    // Without a plan nobody is invited: whoever is there has come while there was one.
    if (plan === null) await app.company('set-plan', user.companyId, 'basic');
    const member = await addMember(app, account);
    if (plan === null) await app.company('set-plan', user.companyId, 'none');
    const context = await browser.newContext({ baseURL: app.url });
    const members = await context.newPage();
    await enter(members, 'signIn', member);
    const membersReached = await walk(members, ['/chat', '/profile', '/pricing'], pressedByMembers, (place) =>
      depends.test(place),
    );
    expect([...membersReached].filter((path) => path.startsWith('/admin'))).toEqual([]);
    // Which the walk leaves alone, since nothing could be walked behind it.
    await members.goto('/chat');
    await pressOne(members, { name: 'Logout' }, '/chat');
    await expect(members).toHaveURL(/\/login$/);
    await context.close();
  });
}

test('what people do has an address', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('link', { name: 'Contact Sales' })).toHaveAttribute('href', /^mailto:/);
});
