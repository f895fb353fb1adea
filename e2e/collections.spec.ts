/// <reference lib="dom" />
import { inspect, inspectBoth, widths } from './inspect.ts';
import { drawn } from './still.ts';
import { expect, test } from './test.ts';

test('a collection for a group: made, filled, seen by its people alone, and taken back', async ({ admin, member }) => {
  const { page, client } = admin;
  await client.upload('Rules.md', Buffer.from('# Rules\n\nThe canteen opens at noon.\n'));
  await client.filesWhenRead();
  await page.goto('/admin/team');
  await page.getByRole('button', { name: 'New group' }).click();
  const group = page.getByRole('dialog', { name: 'New group' });
  await expect(group.getByLabel('Name')).toBeFocused();
  const [label, field] = await Promise.all([
    group.getByText('Name', { exact: true }).boundingBox(),
    group.getByLabel('Name').boundingBox(),
  ]);
  expect((field?.y ?? 0) - (label?.y ?? 0) - (label?.height ?? 0)).toBeGreaterThan(3);
  await page.keyboard.type('Board');
  await group.getByLabel(member.email).check();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Groups' }).getByRole('row', { name: 'Board' })).toContainText(
    '1 person',
  );

  await page.goto('/admin/documents');
  await page.getByRole('main').getByRole('link', { name: 'Collections' }).click();
  await page.getByRole('button', { name: 'New collection' }).click();
  const made = page.getByRole('dialog', { name: 'New collection' });
  await expect(made.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Board papers');
  await expect(made.getByRole('status')).toHaveText('Nobody but admins sees it.');
  await inspectBoth(page);
  await made.getByLabel('Board', { exact: true }).check();
  await expect(made.getByRole('status')).toHaveText('Admins see it, and so does the group Board.');
  await made.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Board papers', level: 1 })).toBeVisible();

  // Chosen once for all that is uploaded.
  await page.goto('/admin/documents');
  await page.getByRole('button', { name: 'Upload Documents' }).click();
  const upload = page.getByRole('dialog', { name: 'Upload Documents' });
  const content = (text: string) => ({ mimeType: 'text/markdown', buffer: Buffer.from(text) });
  await upload.getByLabel('Files to upload').setInputFiles([
    { name: 'Budget.md', ...content('# Budget\n\nThe crane costs 417,300 euros.\n') },
    { name: 'Minutes.md', ...content('# Minutes\n\nThe board meets on Mondays.\n') },
  ]);
  await upload.getByLabel('Collection').selectOption('Board papers');
  await upload.getByRole('button', { name: /^Upload 2/ }).click();
  const table = page.getByRole('table', { name: 'All documents' });
  // What is being uploaded has a row of its own, until it is there.
  await expect(table.getByRole('row', { name: /Budget\.md/ }).filter({ hasText: 'Board papers' })).toBeVisible();
  await expect(table.getByRole('row', { name: /Rules\.md/ })).toContainText('Company');
  await client.filesWhenRead();

  const theirs = member.page;
  await expect(theirs.getByRole('region', { name: 'Board papers' })).toContainText('Budget.md');
  await expect(theirs.getByRole('region', { name: 'Company' })).toContainText('Rules.md');

  await page.goto('/admin/documents');
  await page.getByLabel('Collection', { exact: true }).selectOption('Board papers');
  await expect(table.getByRole('checkbox', { name: /\.md/ })).toHaveCount(2);
  await table.getByRole('checkbox', { name: /Minutes\.md/ }).check();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const moving = page.getByRole('dialog', { name: 'Move 1 document' });
  await moving.getByLabel('Move to').selectOption('Company');
  await inspectBoth(page);
  await moving.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(table.getByRole('row', { name: /Minutes\.md/ })).toHaveCount(0);
  await expect(theirs.getByRole('region', { name: 'Company' })).toContainText('Minutes.md');

  await page.goto('/admin/team');
  await page.getByRole('button', { name: 'Edit Board' }).click();
  const edited = page.getByRole('dialog', { name: 'Edit Board' });
  await edited.getByLabel(member.email).uncheck();
  await edited.getByRole('button', { name: 'Save' }).click();
  // Without their doing anything.
  await expect(theirs.getByText('Budget.md')).toHaveCount(0);
  await expect(theirs.getByText('Minutes.md')).toBeVisible();
});

for (const width of widths) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('everybody can use the screens of collections', async ({ admin: { page, client } }) => {
      const { groupId } = await client.call('createGroup', { name: 'Board', userIds: [] });
      const ofBoard = { name: 'Board papers', access: 'restricted' as const, groupIds: [groupId] };
      const { collectionId } = await client.call('createCollection', ofBoard);
      await client.upload('Budget.md', Buffer.from('# Budget\n\nIt is enough.\n'), 'replace', collectionId);
      await client.upload('Rules.md', Buffer.from('# Rules\n\nThe canteen opens at noon.\n'));
      await client.filesWhenRead();
      await page.goto('/admin/collections');
      await expect(page.getByRole('link', { name: 'Board papers' })).toBeVisible();
      await inspect(page);
      await page.getByRole('link', { name: 'Board papers' }).click();
      await expect(page.getByRole('radio', { name: 'Only some' })).toBeChecked();
      const documents = page.getByRole('navigation').getByRole('link', { name: 'Documents', exact: true });
      await expect(documents).toHaveAttribute('aria-current', 'page');
      await inspect(page);
      await page.getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog').getByLabel('Move its documents to')).toBeVisible();
      const [means, label] = await Promise.all(
        [/^Its documents are not deleted/, 'Move its documents to'].map((text) => page.getByText(text).boundingBox()),
      );
      expect((label?.y ?? 0) - (means?.y ?? 0) - (means?.height ?? 0)).toBeGreaterThan(10);
      await inspect(page);
      await page.goto('/admin/documents');
      await expect(page.getByLabel('Collection', { exact: true })).toBeVisible();
      await inspect(page);
      await page.goto('/admin/analytics');
      await page.getByLabel('Collection').selectOption('Board papers');
      await expect(page.getByText('Only questions that were answered with a source in it.')).toBeVisible();
      await inspect(page);
      await page.goto('/chat');
      await expect(page.getByRole('heading').first()).toBeVisible();
      if (width === widths[0]) await expect(page.getByRole('region', { name: 'Board papers' })).toBeVisible();
      await inspect(page);
    });
  });
}

test('documents are moved to another collection than the one they are in, and a new one can be left unsaved', async ({
  admin: { page, client },
  uploaded,
}) => {
  await uploaded('Travel policy 2026.pdf');
  await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await page.goto('/admin/documents');
  await page.getByRole('checkbox', { name: /Travel policy/ }).check();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('option')).toHaveText(['Board']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.goto('/admin/collections');
  await page.getByRole('button', { name: 'New collection' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});

test('the upload window forgets with Cancel where the last files were to go', async ({ admin: { page, client } }) => {
  await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await page.goto('/admin/documents');
  const dialog = page.getByRole('dialog');
  const open = page.getByRole('button', { name: 'Upload Documents' });
  const note = { name: 'Note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Note\n\nIt is confidential.\n') };
  await open.click();
  await dialog.getByLabel('Files to upload').setInputFiles(note);
  await dialog.getByLabel('Collection').selectOption('Board');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await open.click();
  await dialog.getByRole('button', { name: /^Upload/ }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please select files to upload.');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await open.click();
  await expect(dialog.getByRole('button', { name: /^Upload/ })).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByLabel('Files to upload').setInputFiles(note);
  await expect(dialog.getByLabel('Collection')).toHaveValue('');
});

test('a new collection is there as soon as its page is, and a deleted one nowhere any more', async ({
  admin: { page, client },
}) => {
  await client.call('createCollection', { name: 'Drafts', access: 'everyone' });
  await page.goto('/admin/collections');
  // With the code of that page there, nothing but the list is waited for.
  await page.getByRole('link', { name: 'Drafts' }).click();
  await expect(page.getByRole('heading', { name: 'Drafts' })).toBeVisible();
  await page.getByRole('link', { name: 'All collections' }).click();
  await page.evaluate(() => {
    const note = () => {
      if (document.body.textContent?.includes('does not exist')) document.body.dataset.missing = '';
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  /** Has the list come late from now on. */
  const holdList = async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/listCollections', async (route) => {
      begun.resolve();
      await held.promise;
      await route.continue();
    });
    return async (meanwhile: () => Promise<void>) => {
      await begun.promise;
      await drawn(page);
      await meanwhile();
      held.resolve();
      await page.unrouteAll({ behavior: 'wait' });
    };
  };

  await page.getByRole('button', { name: 'New collection' }).click();
  const made = page.getByRole('dialog', { name: 'New collection' });
  await made.getByLabel('Name').fill('Board papers');
  const whileSaving = await holdList();
  await made.getByRole('button', { name: 'Save' }).click();
  await whileSaving(() => expect(made.getByRole('button', { name: 'Saving...' })).toBeVisible());
  await expect(page.getByRole('heading', { name: 'Board papers', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete this collection?' });
  const whileDeleting = await holdList();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await whileDeleting(() => expect(page.getByRole('link', { name: 'Board papers' })).toHaveCount(0));
  await expect(page.getByRole('heading', { name: 'Collections', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Drafts' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Board papers' })).toHaveCount(0);
  await expect(page.locator('body[data-missing]')).toHaveCount(0);
});
