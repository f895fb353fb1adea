import type { Page } from '@playwright/test';

/** What a call that is refused answers. */
export const refuse = (status: string, message: string, code?: string) => ({
  status: 400,
  json: { error: { status, message, details: { code } } },
});

/** Takes somebody out of the team, on the screen. */
export async function remove(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: `Remove ${email}` }).click();
  await page.getByRole('dialog', { name: 'Remove this person?' }).getByRole('button', { name: 'Remove' }).click();
}
