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
