/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { textAt } from './texts.ts';

export const checklist = 'samples/files/Onboarding checklist.md';

/** Opens the window and chooses files in it. */
export async function chooseFiles(page: Page, files: Parameters<Locator['setInputFiles']>[0]) {
  await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page.getByLabel('Files to upload').setInputFiles(files);
}

/** The file with another line, so that it is not what is there already. */
export function changed(path: string) {
  return {
    name: basename(path),
    mimeType: 'text/plain',
    buffer: Buffer.concat([readFileSync(path), Buffer.from(`\n${crypto.randomUUID()}\n`)]),
  };
}

/** Chooses a file in the page itself, always of the same date: the runner gives every choice of a buffer another. */
export async function chooseInPage(page: Page, label: string, { name, buffer }: { name: string; buffer: Buffer }) {
  if (label === 'Files to upload') await page.getByRole('button', { name: textAt('documents.upload') }).click();
  await page.locator(`input[type=file][aria-label="${label}"]`).evaluate(
    (input: HTMLInputElement, { name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { lastModified: 1_760_000_000_000 }));
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { name, text: buffer.toString() },
  );
}
