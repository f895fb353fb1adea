/** What a process of its own costs a document: from the call to its blocks, for documents of a few lines. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Format } from '#server/features/ingestion/document.ts';
import { makeContainer, makeOffice, makePdf, makeRelations } from '#server/features/ingestion/fixtures.ts';
import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';

const rounds = 15;
const together = 200;

export async function measureStart(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  const sandbox = await createSandbox({ log: { warn() {} } });
  try {
    const files: { format: Format; path: string }[] = [];
    for (const [format, bytes] of Object.entries(await smallFiles())) {
      const path = join(folder, `a.${format}`);
      await writeFile(path, bytes);
      files.push({ format: format as Format, path });
    }
    const rows: string[] = [];
    for (const { format, path } of files) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        await sandbox.parse({ path, format });
        times.push(performance.now() - started);
      }
      rows.push(`| ${format}, one after the other | ${median(times).toFixed(0)} ms |`);
    }
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const started = performance.now();
    await Promise.all(
      Array.from({ length: together }, (_, index) => {
        const file = files[index % files.length];
        return file && sandbox.parse({ ...file });
      }),
    );
    const took = performance.now() - started;
    delay.disable();
    rows.push(`| ${together} mixed documents, two at a time | ${(took / together).toFixed(0)} ms each |`);
    rows.push(`| delay of the event loop meanwhile, 99 of 100 | ${(delay.percentile(99) / 1e6).toFixed(0)} ms |`);
    return ['| documents | time |', '|---|---|', ...rows];
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

async function smallFiles(): Promise<Partial<Record<Format, Uint8Array | string>>> {
  const text = 'Parking permits cost 40 euros a year.';
  return {
    text,
    html: `<p>${text}</p>`,
    csv: `Zone,Fee\nA,40\n`,
    rtf: `{\\rtf1 ${text}}`,
    pdf: await makePdf([[text]]),
    docx: makeOffice('word/document.xml', {
      'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
      'word/_rels/document.xml.rels': makeRelations(),
    }),
    odt: makeContainer('application/vnd.oasis.opendocument.text', {
      'content.xml': `<d><body><text><p>${text}</p></text></body></d>`,
    }),
  };
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
