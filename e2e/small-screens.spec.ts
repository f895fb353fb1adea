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
