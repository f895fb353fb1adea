/** Builds samples/files from samples/sources: `node samples/build.ts`. The same sources always give the same bytes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocx } from './docx.ts';
import { buildPdf } from './pdf.ts';
import { readBreaks } from './pdf-text.ts';
import { buildXlsx } from './xlsx.ts';

const sources = join(import.meta.dirname, 'sources');
export const filesFolder = join(import.meta.dirname, 'files');

/** How each file of samples/files is made. */
const recipes: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
  'Staff handbook.docx': () =>
    buildDocx(text('Staff handbook.md'), { header: 'Nordwind Logistics - Staff handbook 2026' }),
  'Framework contract Meridian.docx': () =>
    buildDocx(text('Framework contract Meridian.md'), { header: 'Framework contract NL-2025-014' }),
  'Travel policy 2026.pdf': () => pdf('Travel policy 2026', 'Nordwind Logistics - Travel policy 2026'),
  'Warehouse scanner manual.pdf': () =>
    pdf('Warehouse scanner manual', 'Tessel TS-540 - User manual for warehouse staff', { book: true }),
  'Customs guide.pdf': () => pdf('Customs guide', 'Nordwind Logistics - Customs guide', { serif: true }),
  'Price list Q4.xlsx': () =>
    buildXlsx(
      ['Rates', 'Surcharges', 'Zones'].map((name) => ({
        name,
        csv: text(`Price list Q4 - ${name.toLowerCase()}.csv`),
      })),
    ),
  // An old export: Windows letters and line ends.
  'Safety data sheet.txt': () =>
    new Uint8Array(Buffer.from(text('Safety data sheet.txt').replaceAll('\n', '\r\n'), 'latin1')),
  'Minutes board meeting 2026-03.md': () => copy('Minutes board meeting 2026-03.md'),
  'Häufige Fragen Personal.md': () => copy('Häufige Fragen Personal.md'),
  'IT security guidelines.html': () => copy('IT security guidelines.html'),
  'Onboarding checklist.md': () => copy('Onboarding checklist.md'),
  'お知らせ 東海精密電機.txt': () => copy('お知らせ 東海精密電機.txt'),
};

if (import.meta.main) {
  mkdirSync(filesFolder, { recursive: true });
  for (const old of readdirSync(filesFolder)) rmSync(join(filesFolder, old));
  for (const [name, bytes] of await buildSamples()) {
    writeFileSync(join(filesFolder, name), bytes);
    console.log(`${String(bytes.length).padStart(8)}  ${name}`);
  }
}

/** Every sample file by its name. */
export async function buildSamples(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, build] of Object.entries(recipes)) files.set(name.normalize('NFC'), await build());
  return files;
}

function pdf(name: string, header: string, style: { book?: boolean; serif?: boolean } = {}): Promise<Uint8Array> {
  return buildPdf(text(`${name}.md`), { header, ...style, breaks: readBreaks(text('hyphenation.txt')) });
}

function copy(name: string): Uint8Array {
  return new Uint8Array(Buffer.from(text(name)));
}

function text(name: string): string {
  return readFileSync(join(sources, name), 'utf8').replaceAll('\r\n', '\n');
}
