import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../evals/sets.ts';
import { megabytes, type Row, seconds } from './figures.ts';
import { startObservedApp } from './observed.ts';

/** Those without scans. */
const folder = join(dataFolder, 'realpdf', 'finance', 'pdf');
/** Clock ticks of Linux in a second, as `/proc` counts processor time. */
const ticks = 100;

/**
 * Long PDFs that nobody here made, all files at once, from the first byte of the upload until the last one is
 * searchable. The machine's other work changes how long that takes, but not how much of a processor.
 */
export async function measureRealPdfs(): Promise<Row[]> {
  if (!existsSync(folder)) return [['the files are not there', '', '']];
  const rows: Row[] = [];
  const app = await startObservedApp();
  try {
    const files = readdirSync(folder).map((name) => ({ name, content: readFileSync(join(folder, name)) }));
    const before = processorSeconds(app.pid);
    const started = performance.now();
    let pages = 0;
    const memory = await app.memoryDuring(async () => {
      for (const { name, content } of files) await app.client.upload(name, content);
      for (const { name, state, reason, pages: own } of await app.client.filesWhenRead()) {
        pages += own ?? 0;
        if (state !== 'ready') rows.push([`${name} was not read`, reason ?? state, '']);
      }
    });
    const took = performance.now() - started;
    const used = processorSeconds(app.pid) - before;
    rows.push([
      `${files.length} files, ${pages} pages, from the first upload until all are searchable`,
      seconds(took),
      '',
    ]);
    rows.push(['the same in pages per second', (pages / (took / 1000)).toFixed(0), '100']);
    rows.push(['pages for each second of a processor, all processes together', (pages / used).toFixed(0), '']);
    rows.push([
      'memory of the server before, and at most',
      `${megabytes(memory.before)}, ${megabytes(memory.most)}`,
      '',
    ]);
    return rows;
  } finally {
    await app.stop();
  }
}

/** Of a process, all below it, and those of them that have ended. */
function processorSeconds(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name before it may have blanks and brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const used = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      return [{ pid: Number(name), parent: Number(fields[1]), used }];
    } catch {
      return [];
    }
  });
  const below = new Set([pid]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const each of all) if (below.has(each.parent)) below.add(each.pid);
  }
  return all.reduce((sum, each) => sum + (below.has(each.pid) ? each.used : 0), 0) / ticks;
}
