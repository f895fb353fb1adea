import { cpus, loadavg } from 'node:os';
import { writeSection } from '../evals/results.ts';

interface Figures {
  times: number;
  processes: number;
  seed: number;
  minutes: number;
  violations: number;
  takenBack: number;
  given: number;
  unseen: number;
}

/** Keeps what a run has shown, in a section of its own for one process and for several. */
export function writeResults(file: string, figures: Figures, { kills, done }: { kills: string; done: string }): void {
  const { times, processes, seed, minutes, violations } = figures;
  const title = processes === 1 ? '## crash' : `## crash with ${processes} processes`;
  const more = processes === 1 ? '' : ` --processes ${processes}`;
  const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const load = loadavg()[2]?.toFixed(1);
  const rows = [
    ['killed, by what', kills, `${times} in all`],
    ['what people did meanwhile', done, ''],
    ['jobs taken back', String(figures.takenBack), ''],
    ['answers given; stored whose reply was cut', `${figures.given}; ${figures.unseen}`, ''],
    ['promises broken', String(violations), '0'],
  ];
  const how = `\`npm run crash -- --times ${times} --seed ${seed}${more}\`, ${new Date().toISOString().slice(0, 10)}: ${machine}, ${minutes.toFixed(0)} minutes, load ${load} in the last quarter of an hour.`;
  const table = ['| measure | figure | goal |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)];
  writeSection(file, '# Speed\n', [title, '', how, '', ...table, ''].join('\n'));
}
