import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Route } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import { makePicture } from '#server/features/ingestion/fixtures.ts';
import { expect, test } from './test.ts';

const cutOff = (route: Route) => route.abort('connectionfailed');

test('a PDF that does not come says so, and is loaded again', async ({ admin: { page, client } }) => {
  const file = readFileSync('samples/files/Travel policy 2026.pdf');
  const { documentId } = await client.upload('Travel policy 2026.pdf', file);
  await client.filesWhenRead();
  await page.route('**/files/*', cutOff);
  await page.goto(`/documents/${documentId}/1`);
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('The service is not available right now.');
  await page.unroute('**/files/*');
  await page.route('**/pdf.worker*', cutOff);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toContainText('The service is not available right now.');
  await page.unroute('**/pdf.worker*');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('group', { name: 'Page 1 of 7' }).locator('canvas')).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test('a page that does not come says so, and is loaded again', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('Long report.pdf', await longPdf());
  await client.filesWhenRead();
  await page.goto(`/documents/${documentId}/1`);
  await expect(page.getByRole('group', { name: 'Page 1 of 9' }).locator('canvas')).toBeVisible();
  await page.route('**/files/*', cutOff);
  const pageField = page.getByRole('textbox', { name: 'Page' });
  await pageField.fill('9');
  await pageField.press('Enter');
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('Part of the document could not be loaded.');
  await page.unroute('**/files/*');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('group', { name: 'Page 9 of 9' }).locator('canvas')).toBeInViewport();
  await expect(failure).toHaveCount(0);
});

test('a PDF that is damaged is said to be, and is not loaded again', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('Damaged.pdf', Buffer.from(`%PDF-1.7\n${'no page '.repeat(200)}`));
  await client.filesWhenRead();
  await page.goto(`/documents/${documentId}/1`);
  const failure = page.getByRole('alert');
  await expect(failure).toHaveText('This file is damaged, so its pages cannot be shown. “Download” gets it as it is.');
});

test('a picture that no browser draws is shown as its text', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('permit.png', await makePicture(['A permit for the garage']));
  await client.filesWhenRead();
  await page.route('**/files/*', (route) => route.fulfill({ body: 'II*' }));
  await page.goto(`/documents/${documentId}/1`);
  await expect(page.getByRole('region', { name: 'Text of the document' })).toContainText('A permit for the garage');
  await expect(page.getByRole('region', { name: 'Picture' })).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a picture that does not come says so, and is loaded again', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('permit.png', await makePicture(['A permit for the garage']));
  await client.filesWhenRead();
  await page.route('**/files/*', cutOff);
  await page.goto(`/documents/${documentId}/1`);
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('The picture could not be loaded.');
  await expect(page.getByRole('region', { name: 'Text of the document' })).toContainText('A permit for the garage');
  await page.unroute('**/files/*');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByRole('img', { name: 'Original of permit.png' }).evaluate(hasPixels)).toBe(true);
  await expect(failure).toHaveCount(0);
});

function hasPixels(picture: Element): boolean {
  return picture instanceof HTMLImageElement && picture.naturalWidth > 0;
}

/** Around what stands on a page is so much else that each is loaded by itself. */
async function longPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let page = 1; page <= 9; page++) {
    const added = pdf.addPage();
    pdf.context.register(pdf.context.stream(randomBytes(200_000)));
    added.drawText(`These words stand on page ${page}.`, { x: 50, y: 700 });
    pdf.context.register(pdf.context.stream(randomBytes(200_000)));
  }
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}
