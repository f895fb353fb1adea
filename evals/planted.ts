import { globSync } from 'node:fs';
import { join } from 'node:path';
import { chunkBlocks } from '#server/features/ingestion/chunk.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';
import { findPlanted } from '#server/features/ingestion/planted/planted.ts';
import type { Source } from '#server/testing/corpus.ts';
import { parseFiles } from './parsed.ts';
import { sampleSources } from './sample-sources.ts';
import { dataFolder, readSet } from './sets.ts';

const sets = ['squad', 'xquad-de', 'tatqa', 'multihop-hotpotqa', 'multiturn'];
const files = 'files/{,hostile/}*.{md,txt,html,csv,docx,odt,ods,odp,pptx,xlsx,eml,rtf,epub}';

/**
 * How much of real text is taken for orders to a language model. Nobody wrote any into it, but for the hostile files:
 * each finding is printed, to be looked at by hand.
 */
export async function evaluatePlanted(): Promise<string[]> {
  const rows: string[] = [];
  const seen: string[] = [];
  for (const [name, sources] of await corpora()) {
    let passages = 0;
    let flagged = 0;
    let length = 0;
    let took = 0;
    for (const { name: file, blocks } of sources) {
      const placed = placeBlocks(blocks);
      const before = performance.now();
      const found = await findPlanted(placed.map(({ text }) => text));
      took += performance.now() - before;
      length += placed.reduce((sum, { text }) => sum + text.length, 0);
      const chunks = chunkBlocks(placed);
      passages += chunks.length;
      flagged += chunks.filter((chunk) =>
        found.some(({ first, last }) => first <= chunk.lastBlock && last >= chunk.firstBlock),
      ).length;
      for (const { kind, excerpt } of found) seen.push(`- ${name}, ${file} (${kind}): ${excerpt}`);
    }
    const millions = length / 1e6;
    rows.push(`| ${name} | ${sources.length} | ${passages} | ${flagged} | ${(took / 1000 / millions).toFixed(1)} s |`);
  }
  return [
    '| set | documents | passages | flagged | for a million characters |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'Flagged, to be looked at:',
    '',
    ...(seen.length > 0 ? seen : ['- none']),
  ];
}

async function corpora(): Promise<[name: string, sources: Source[]][]> {
  const real = globSync(join(dataFolder, 'realpdf', '*', 'pdf', '*.pdf')).sort();
  const all: [string, Source[]][] = [
    ['samples', await sampleSources()],
    ['realpdf', await parsed(real)],
    ['files', await parsed(globSync(join(dataFolder, files)).sort())],
  ];
  for (const set of sets) {
    const passages = readSet(set)?.passages ?? [];
    if (passages.length > 0)
      all.push([set, passages.map(({ id, text }) => ({ name: id, blocks: [{ kind: 'paragraph', text }] }))]);
  }
  return all;
}

async function parsed(paths: string[]): Promise<Source[]> {
  return (await parseFiles(paths)).flatMap(({ source }) => (source ? [source] : []));
}
