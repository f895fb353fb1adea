import { inspect, widths } from './inspect.ts';
import { linkIn, mailTo } from './outbox.ts';
import { ask, expect, test } from './test.ts';

// Every page is looked through as a whole, which takes a busy machine more than a minute.
test.describe.configure({ timeout: 180_000 });

for (const width of widths) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('signed out', async ({ page }) => {
      for (const path of [
        '/login',
        '/login?mode=forgotPassword',
        '/login?oobCode=',
        '/login?oobCode=wrong',
        '/signup',
        '/pricing',
      ]) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await inspect(page);
      }
      await page.goto('/login');
      await page.getByRole('button', { name: 'Sign In' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await inspect(page);
    });

    test('signed in', async ({ admin: { page }, uploaded }) => {
      await uploaded('Travel policy 2026.pdf', 'Onboarding checklist.md');
      const answer = await ask(page, 'How much may a hotel in Berlin cost?');
      await inspect(page);
      const cited = await answer
        .getByRole('link', { name: /^Source 1/ })
        .first()
        .getAttribute('href');
      for (const path of [cited ?? '', '/admin/dashboard', '/admin/settings', '/profile', '/nowhere']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await inspect(page);
      }
    });

    test('the documents, and text that is read', async ({ admin: { page }, uploaded }) => {
      await uploaded('Price list Q4.xlsx', 'Staff handbook.docx');
      await page.goto('/admin/documents');
      const sheet = page.getByRole('link', { name: 'Price list Q4.xlsx' });
      await expect(sheet).toBeVisible();
      await inspect(page);
      await sheet.click();
      await expect(page.getByRole('table').first()).toBeVisible();
      await inspect(page);
    });

    test('the team, its windows, and an invitation', async ({ admin: { page }, app }) => {
      const email = `lea-${crypto.randomUUID()}@nordwind.example`;
      await page.goto('/admin/team');
      await page.getByRole('button', { name: 'Send Invite' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await inspect(page);
      await page.getByLabel('Email of the person to invite').fill(email);
      await page.getByRole('button', { name: 'Send Invite' }).click();
      await expect(page.getByRole('row', { name: email })).toBeVisible();
      await inspect(page);
      await page.getByRole('button', { name: 'Invite several people' }).click();
      await page.getByRole('textbox', { name: 'Email addresses' }).fill(`nobody, ann@nordwind.example, ${email}`);
      await expect(page.getByText('Not recognised')).toBeVisible();
      await inspect(page);
      await page.keyboard.press('Escape');
      await page.goto('/admin/dashboard');
      await page.route('**/v1/deleteUser', (route) =>
        route.fulfill({
          status: 400,
          json: {
            error: { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'recent-sign-in-required' } },
          },
        }),
      );
      await page.getByRole('button', { name: `Remove ${email}` }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await inspect(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect(page.getByRole('dialog', { name: 'Confirm your password' })).toBeVisible();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Please enter your password.')).toBeVisible();
      await inspect(page);
      await page.goto(linkIn(await mailTo(app, email)));
      await expect(page.getByLabel('New password')).toBeVisible();
      await inspect(page);
    });
  });
}
