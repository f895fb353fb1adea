/**
 * `npm run bench [-- PARTS] [--write]`: measures the product in a process of its own, over HTTP, and prints tables;
 * with `--write` keeps them in bench/RESULTS.md. The parts, all where none is named: questions, search, scale,
 * search-on-s3, ingestion, upload, files, large-files, real-pdfs, written, analytics, audit, collections, documents,
 * tasks, export, webhooks, mcp, load (also with `--processes 3`), upgrade.
 */
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSection } from '../evals/results.ts';
import { measureAnalytics } from './analytics.ts';
import { measureAudit } from './audit.ts';
import { measureCollections } from './collections.ts';
import { measureDocuments } from './documents.ts';
import { measureExport } from './export.ts';
import { measureFiles } from './files.ts';
import { measureIngestion } from './ingestion.ts';
import { measureLargeFiles } from './large-files.ts';
import { measureLoad } from './load.ts';
import { measureLoadOnSeveral } from './load-on-several.ts';
import { measureMcp } from './mcp.ts';
import { measureQuestions } from './questions.ts';
import { measureRealPdfs } from './real-pdfs.ts';
import { measureScale } from './scale.ts';
import { measureSearch } from './search.ts';
import { measureSearchOnS3 } from './search-on-s3.ts';
import { measureTasks } from './tasks.ts';
import { measureUpgrade } from './upgrade.ts';
import { measureUpload } from './upload.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWritten } from './written.ts';

const parts = {
  questions: measureQuestions,
  search: measureSearch,
  scale: measureScale,
  'search-on-s3': measureSearchOnS3,
  ingestion: measureIngestion,
  upload: measureUpload,
  files: measureFiles,
  'large-files': measureLargeFiles,
  'real-pdfs': measureRealPdfs,
  written: measureWritten,
  analytics: measureAnalytics,
  audit: measureAudit,
  collections: measureCollections,
  documents: measureDocuments,
  tasks: measureTasks,
  export: measureExport,
  webhooks: measureWebhooks,
  mcp: measureMcp,
  load: measureLoad,
  upgrade: measureUpgrade,
};
const results = join(import.meta.dirname, 'RESULTS.md');
const head = '# Speed\n\nWritten by `npm run bench -- --write`.\n';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, processes: { type: 'string' } },
});
const several = values.processes === undefined ? null : Number(values.processes);
const isLoad = positionals.length === 1 && positionals[0] === 'load';
const isBad = several !== null && !(isLoad && Number.isInteger(several) && several >= 3);
if (isBad || positionals.some((name) => !Object.hasOwn(parts, name))) {
  console.error(
    `usage: npm run bench -- [${Object.keys(parts).join('] [')}] [--write]\n       npm run bench -- load --processes 3 [--write]`,
  );
  process.exit(2);
}
const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const load = loadavg()[0]?.toFixed(1);
  const rows = await (several === null ? measure() : measureLoadOnSeveral(several));
  const title = several === null ? `## ${name}` : `## ${name} on ${several} processes`;
  const more = several === null ? '' : ` --processes ${several}`;
  const how = `\`npm run bench -- ${name}${more}\`, ${new Date().toISOString().slice(0, 10)}: ${machine}, load ${load} before it.`;
  const table = ['| measure | figure | goal |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)];
  const section = [title, '', how, '', ...table, ''].join('\n');
  console.log(section);
  if (values.write) writeSection(results, head, section);
}
