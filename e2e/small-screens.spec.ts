import { expect, test } from './test.ts';

test.use({ viewport: { width: 360, height: 640 } });

test('the buttons of a dialog that is higher than the screen stay in sight, and hide nothing that has the focus', async ({
  admin: { page },
}) => {
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  const create = dialog.getByRole('button', { name: 'Create a key' });
  const last = dialog.getByRole('radio', { name: 'Never' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expect(create).toBeInViewport({ ratio: 1 });
  await last.focus();
  const covered = last.evaluate((radio) => {
    const { left, top, width, height } = radio.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) !== radio;
  });
  expect(await covered).toBe(false);
  // The end of the dialog is as it was: nothing stands below them.
  await create.focus();
  await expect(create).toBeInViewport({ ratio: 1 });
});

test('what saves the settings covers none of them before there is something to save, and says that it has', async ({
  admin: { page },
}) => {
  await page.goto('/admin/settings/company');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeVisible();
  await expect(save).not.toBeInViewport();
  await page.getByLabel('Company name').fill('Nordwind Shipping');
  await expect(save).toBeInViewport({ ratio: 1 });
  await save.click();
  await expect(page.getByText('Saved.')).toBeInViewport({ ratio: 1 });
});

test('the sections of the settings and the pages beside them keep their places', async ({ admin: { page } }) => {
  const placesOf = (name: string) =>
    page
      .getByRole('navigation', { name })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getBoundingClientRect().x]));
  await page.goto('/admin/settings/company');
  await expect(page.getByLabel('Company name')).toBeVisible();
  const navigations = ['Sections of the settings', 'Admin'];
  const before = await Promise.all(navigations.map(placesOf));
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  expect(await Promise.all(navigations.map(placesOf))).toEqual(before);
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Team' }).click();
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeVisible();
  expect(await placesOf('Admin')).toEqual(before[1]);
});
