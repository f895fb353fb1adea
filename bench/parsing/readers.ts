/**
 * Our readers beside libraries on the files of ../shared/data/files: how many of the words that any of them finds each
 * one finds. The libraries are none of the project's: `CANDIDATES` names a folder in which they are installed.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { parsePatiently } from '#server/features/ingestion/sandbox/patiently.ts';
import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';

const folder = '../shared/data/files';
const formats = ['docx', 'pptx', 'odt', 'odp', 'ods', 'rtf', 'epub'];

type Reader = (path: string) => Promise<string>;

export async function compareReaders(): Promise<string[]> {
  if (!existsSync(folder)) return ['The files are not here.'];
  const sandbox = await createSandbox({ log: { warn() {} } });
  const readers: Record<string, Reader> = {
    ours: async (path) => {
      const detected = await detectFile(path, path);
      if (!('format' in detected)) return '';
      const { blocks } = await parsePatiently(sandbox, { path, format: detected.format });
      return blocks.map(({ text }) => text).join('\n');
    },
    ...candidates(),
  };
  const names = Object.keys(readers);
  const rows: string[] = [];
  for (const format of formats) {
    const found = new Map(names.map((name) => [name, { words: 0, ms: 0 }]));
    let all = 0;
    const files = readdirSync(folder).filter((file) => file.endsWith(`.${format}`));
    for (const file of files) {
      const counts = new Map<string, Map<string, number>>();
      for (const [name, read] of Object.entries(readers)) {
        const started = performance.now();
        counts.set(name, wordCounts(await read(join(folder, file)).catch(() => '')));
        const sum = found.get(name);
        if (sum) sum.ms += performance.now() - started;
      }
      for (const word of new Set([...counts.values()].flatMap((each) => [...each.keys()]))) {
        // A word that only one of them finds may be none of the document's.
        const most = [...counts.values()].map((each) => each.get(word) ?? 0).sort((a, b) => b - a)[0] ?? 0;
        all += most;
        for (const [name, each] of counts) {
          const sum = found.get(name);
          if (sum) sum.words += Math.min(each.get(word) ?? 0, most);
        }
      }
    }
    const cells = [...found.values()].map(
      ({ words, ms }) => `${(words / all).toFixed(3)} (${(ms / files.length).toFixed(0)} ms)`,
    );
    rows.push(`| ${format} | ${files.length} | ${cells.join(' | ')} |`);
  }
  await sandbox.close();
  return [`| format | files | ${names.join(' | ')} |`, `|---|---|${names.map(() => '---|').join('')}`, ...rows];
}

function candidates(): Record<string, Reader> {
  const installed = process.env.CANDIDATES;
  if (!installed) return {};
  const load = createRequire(join(installed, 'index.js'));
  return {
    mammoth: async (path) => (path.endsWith('.docx') ? (await load('mammoth').extractRawText({ path })).value : ''),
    officeparser: async (path) => {
      const parsed = await load('officeparser').parseOffice(path);
      return (await parsed.to('text')).value;
    },
  };
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
