import type { Page } from '@playwright/test';
import { obeying, says } from '#simulators/models/script.ts';
import { inspectBoth, noViolations } from './inspect.ts';
import { test } from './scripted-model.ts';
import { ask, expect } from './test.ts';

/** What an admin decides about the assistant, and what the chat makes of it. */

const fact = 'Receipts must be handed in within 30 days.';
const question = 'Within how many days must receipts be handed in?';

const form = (page: Page) => page.getByRole('form', { name: 'Settings of the assistant' });
const box = (page: Page) => page.getByRole('region', { name: 'Try it' });

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page)).toContainText('Saved.');
}

test.beforeEach(async ({ admin: { client, page }, model }) => {
  await client.upload('Travel.md', Buffer.from(`# Travel\n\n${fact}\n`));
  await client.filesWhenRead();
  // An answer in formal words where that is asked for, and a plain one else.
  model.play(obeying(/Write in a (formal) tone/, says(`${fact.replace('.', '')} [1].`)));
  await page.goto('/admin/chat-agent');
});

test('name, greeting and examples stand in the chat; an open one has them with the next question', async ({
  admin: { page },
  member,
  model,
}) => {
  await expect(member.page.getByRole('log')).toContainText('What would you like to know?');
  await form(page).getByLabel('Name').fill('מרים');
  await form(page).getByLabel('Greeting').fill('Ask me about travel.\nI know the rules.');
  await form(page).getByLabel('Example question 1').fill(question);
  await expect(form(page)).toContainText('Not saved yet.');
  await save(page);
  model.play(says(`Within 30 days [1].`));
  await ask(member.page, question);
  await expect(member.page.getByRole('log')).toContainText('Ask me about travel.');
  await expect(member.page.getByRole('log')).toContainText('מרים');
  await member.page.getByRole('button', { name: 'New chat' }).click();
  await expect(member.page.getByRole('list', { name: 'Questions to begin with' })).toContainText(question);
  model.play({ pieces: ['Within'], afterwards: 'hang' });
  await member.page.getByRole('button', { name: question }).first().click();
  await expect(member.page.getByText('מרים is thinking...')).toBeVisible();
  await member.page.getByRole('button', { name: 'Stop' }).click();
});

test('what is said when nothing is found, and whom to ask', async ({ admin: { page }, model }) => {
  await form(page).getByLabel('What is said').fill('That is not in our handbook.');
  await form(page).getByLabel('Whom to ask').fill('desk@nordwind.example');
  await save(page);
  await page.goto('/chat');
  model.play(says('NOT_IN_DOCUMENTS'));
  const answer = await ask(page, 'How many moons does Jupiter have?');
  await expect(answer).toContainText('That is not in our handbook.');
  await expect(answer.getByRole('link', { name: 'desk@nordwind.example' })).toHaveAttribute(
    'href',
    'mailto:desk@nordwind.example',
  );
});

test('a question is tried with what is not saved, beside what is', async ({ admin: { page }, model }) => {
  model.play(says(`Within 30 days [1].`));
  await form(page).getByLabel('Quotes', { exact: true }).check();
  await box(page).getByRole('button', { name: 'Ask' }).click();
  await expect(box(page)).toContainText('Please enter a question.');
  await box(page).getByLabel('Question').fill(question);
  await box(page).getByRole('button', { name: 'Ask' }).click();
  const after = box(page).getByRole('article').filter({ hasText: 'With your changes' });
  const before = box(page).getByRole('article').filter({ hasText: 'As it is now' });
  await expect(after.getByRole('blockquote')).toContainText(fact);
  await expect(before).toContainText('Within 30 days');
  await expect(before.getByRole('blockquote')).toHaveCount(0);
  await noViolations(page);
  // It was but tried.
  await form(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(form(page).getByLabel('Written', { exact: true })).toBeChecked();
});

test('versions say who and what, and one can go back', async ({ admin: { page, email } }) => {
  await form(page).getByLabel('Greeting').fill('The first one.');
  await save(page);
  await form(page).getByLabel('Greeting').fill('The second one.');
  await form(page).getByLabel('Tone').selectOption('Formal');
  await save(page);
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText('Version 2, in use');
  await expect(versions.first()).toContainText(`${email}: greeting and tone`);
  await versions.nth(1).getByRole('button', { name: 'Back to this' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Go back' })).toBeVisible();
  await inspectBoth(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect(versions).toHaveCount(3);
  await expect(versions.first()).toContainText('back to version 1');
  await expect(form(page).getByLabel('Greeting')).toHaveValue('The first one.');
  await expect(form(page).getByLabel('Tone')).toHaveValue('neutral');
});

test('leaving with unsaved changes asks, by a link, by a command and by Back', async ({ admin: { page } }) => {
  await page.goto('/admin/team');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Chat agent', exact: true }).click();
  await form(page).getByLabel('Greeting').fill('Unsaved.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('link', { name: 'Documents' }).click();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toHaveCount(0);
  await expect(form(page).getByLabel('Greeting')).toHaveValue('Unsaved.');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Document, question, page or action' }).fill('team');
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(/\/admin\/chat-agent$/);
  await page.goBack();
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/chat-agent$/);
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/admin\/settings/);
  await page.goForward();
  await expect(form(page).getByLabel('Greeting')).toHaveValue('');
  await page.getByRole('link', { name: 'Documents' }).click();
  await expect(page).toHaveURL(/\/admin\/documents$/);
});

for (const width of [1440, 960, 360]) {
  test(`at ${width} px all of it can be reached, and nothing is wider than the page`, async ({ admin: { page } }) => {
    await page.setViewportSize({ width, height: 800 });
    await form(page).getByLabel('Name').fill('A name as long as forty characters allow');
    await noViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.keyboard.press('Tab');
    await expect(form(page).getByLabel('Greeting')).toBeFocused();
  });
}
