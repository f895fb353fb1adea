import { makePicture, type PdfLine } from '#server/features/ingestion/fixtures.ts';
import { ask, expect, test } from './test.ts';

test('a scanned page is seen: its decoder may run', async ({ admin: { page, client } }) => {
  const { documentId } = await client.upload('scan.pdf', Buffer.from(blackScan(), 'latin1'));
  await client.filesWhenRead();
  await page.goto(`/documents/${documentId}/1`);
  const canvas = page.locator('canvas').first();
  await expect(canvas).toBeVisible();
  const middle = () =>
    canvas.evaluate((element: HTMLCanvasElement) => {
      const { width, height } = element;
      return [...(element.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data ?? [])];
    });
  await expect.poll(middle).toEqual([0, 0, 0, 255]);
});

test('a passage on a picture is marked where it stands', async ({ admin: { page, client }, uploaded }) => {
  await uploaded('Travel policy 2026.pdf');
  const lines: PdfLine[] = [['Parking permits', 20], '', ['A permit for the garage costs 40 euros a year.', 14]];
  await client.upload('permit.png', await makePicture(lines));
  await client.filesWhenRead();
  await ask(page, 'Which number do I call to block a lost company card?');
  const answer = await ask(page, 'What does a permit for the garage cost?');
  const chips = page.getByRole('log').getByRole('link', { name: /^Source 1: / });
  const panel = page.getByRole('complementary', { name: 'Document' });
  await chips.first().click();
  await expect(panel.getByRole('textbox', { name: 'Page' })).toHaveValue('5');
  await chips.last().click();
  await expect(panel.getByText('page 1 of 1 · version 1', { exact: true })).toBeVisible();
  const source = answer.getByRole('list', { name: 'Sources' }).getByRole('link').first();
  await page.goto((await source.getAttribute('href')) ?? '');
  await expect(page.getByRole('img', { name: 'The cited passage' })).toBeInViewport();
  const cited = await page.getByRole('img', { name: 'The cited passage' }).elementHandle();
  // In one look: the page may still be moved to the passage.
  const { mark, sheet } = await page
    .getByRole('img', { name: 'Original of permit.png' })
    .evaluate((element, passage) => {
      const [sheet, mark] = [element, passage].map((each) => each?.getBoundingClientRect());
      return { mark, sheet };
    }, cited);
  if (!mark || !sheet) throw new Error('nothing is marked');
  // The third line of a page that is otherwise empty.
  expect((mark.y - sheet.y) / sheet.height).toBeGreaterThan(0.05);
  expect((mark.y + mark.height - sheet.y) / sheet.height).toBeLessThan(0.4);
  expect(mark.width).toBeGreaterThan(mark.height * 4);
});

/** A page with a line of text, and in its middle a black square as a fax machine would send it (CCITT group 4). */
function blackScan(): string {
  const side = 64;
  // The first row in "horizontal mode": no white, 64 black. Every other one: the same as the row above, twice.
  const bits = ['001', '00110101', '0000001111', '0000110111', '11'.repeat(side - 1), '000000000001'.repeat(2)].join(
    '',
  );
  const image = (bits.match(/.{1,8}/g) ?? []).map((byte) =>
    String.fromCharCode(Number.parseInt(byte.padEnd(8, '0'), 2)),
  );
  const content =
    'BT /F 12 Tf 20 280 Td (A fax that came in the night, and says hello.) Tj ET q 200 0 0 200 50 50 cm /I Do Q';
  const parameters = `<< /K -1 /Columns ${side} /Rows ${side} >>`;
  return [
    '%PDF-1.4',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R',
    '/Resources << /Font << /F 5 0 R >> /XObject << /I 6 0 R >> >> >> endobj',
    `4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj`,
    '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj',
    `6 0 obj << /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 1 /ColorSpace /DeviceGray`,
    `/Filter /CCITTFaxDecode /DecodeParms ${parameters} /Length ${image.length} >> stream\n${image.join('')}\nendstream endobj`,
    'trailer << /Root 1 0 R /Size 7 >>',
    '%%EOF',
  ].join('\n');
}
