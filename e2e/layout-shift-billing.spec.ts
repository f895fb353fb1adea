import { cards, subscribe } from './paying.ts';
import { noteShifts, opensStill } from './still.ts';
import { test } from './test.ts';
import { textAt } from './texts.ts';

test.use({ settings: { BILLING: 'stripe' } });

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 860 } });

    test('nothing moves where something is paid', async ({ page }) => {
      // The fonts are in the browser's cache from here on.
      await page.goto('/login');
      await noteShifts(page);
      await opensStill(page, ['/pricing', textAt('pricing.mostPopular')]);
      await opensStill(page, ['/signup', textAt('pricing.mostPopular')]);
      await opensStill(page, ['/signup?priceId=basic_annual', 'Basic, annual']);
      await opensStill(page, ['/signup?priceId=unknown', textAt('signup.alreadyHaveAccount')]);
      await subscribe(page, 'professional_annual', cards.pays);
      await opensStill(page, ['/profile', textAt('success.goToApp')]);
      await opensStill(page, ['/pricing', textAt('pricing.mostPopular')]);
      await opensStill(page, ['/admin/dashboard', textAt('team.heading')]);
      await opensStill(page, ['/admin/settings/billing', 'Invoices']);
      await opensStill(page, ['/admin/settings/security', 'A session that nobody uses ends']);
    });
  });
}
