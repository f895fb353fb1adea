import { noViolations } from './inspect.ts';
import { ask, expect, test } from './test.ts';

const question = 'Which number do I call to block a lost company card?';

test('filters: only the chosen documents answer, until they are taken away', async ({ admin: { page }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf', 'Häufige Fragen Personal.md');
  await page.getByRole('button', { name: 'Filters' }).click();
  const panel = page.getByRole('region', { name: 'Filters' });
  await panel.getByLabel('Find documents by name').fill('frag');
  await expect(panel.getByRole('checkbox')).toHaveCount(1);
  await panel.getByRole('checkbox', { name: 'Häufige Fragen Personal.md' }).check();
  await noViolations(page);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
  await expect(page.getByRole('list', { name: 'Only these are searched' })).toContainText('Häufige Fragen Personal.md');
  const narrow = await ask(page, question);
  await expect(narrow.getByText('66969-116')).toHaveCount(0);
  await page.getByRole('button', { name: 'Do not filter by Häufige Fragen Personal.md' }).click();
  const wide = await ask(page, question);
  await expect(wide).toContainText('66969-116');

  await page.getByRole('button', { name: 'Filters' }).click();
  await panel.getByLabel('To').fill('2020-01-01');
  await panel.getByRole('button', { name: 'Done' }).click();
  const before = await ask(page, question);
  await expect(before.getByText('66969-116')).toHaveCount(0);
});

test('filters are locked below the plan that has them, which is named', async ({ admin: { page } }) => {
  await page.route('**/v1/getSession', async (route) => {
    const reply = await route.fetch();
    const { result } = await reply.json();
    const features = ['ask', 'upload', 'invite', 'basic-analytics'];
    await route.fulfill({ json: { result: { ...result, entitlements: { ...result.entitlements, features } } } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Filters' }).click();
  const panel = page.getByRole('region', { name: 'Filters' });
  await expect(panel).toContainText('part of the Professional plan');
  await expect(panel.getByRole('link', { name: 'See the plans' })).toBeVisible();
  await noViolations(page);
});
