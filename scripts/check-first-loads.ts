/**
 * What a browser loads before a page can be used, as it comes over the wire: scripts and styles, gzipped. Reads the
 * files of the last build (`npm test` builds first; by hand `npx vite build`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const built = join('dist', 'web');

/**
 * The modules that a page begins with beside those of `index.html`: what it loads for its address; a group of
 * `vite.config.ts` by its name.
 */
const pages = [
  { name: '/login', maxBytes: 100_000, modules: [] },
  { name: '/chat', maxBytes: 260_000, modules: ['greeting', 'app', 'chat'] },
  {
    name: '/admin/analytics',
    maxBytes: 300_000,
    modules: ['app', 'pages/admin/AdminLayout.tsx', 'pages/admin/AnalyticsPage.tsx'],
  },
  {
    name: '/admin/chat-agent',
    maxBytes: 300_000,
    modules: ['app', 'pages/admin/AdminLayout.tsx', 'pages/admin/ChatAgentPage.tsx'],
  },
  {
    name: '/admin/settings',
    maxBytes: 300_000,
    modules: ['app', 'pages/admin/AdminLayout.tsx', 'pages/admin/SettingsPage.tsx'],
  },
];

/** What Vite's manifest says of one chunk: its file, its styles, and the chunks that come with it. */
interface Chunk {
  file: string;
  name?: string;
  css?: string[];
  imports?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8'));

/** What `index.html` itself asks for. */
const asked = [...readFileSync(join(built, 'index.html'), 'utf8').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)];
const first = asked.map(([, file = '']) => file);
// Without its scripts every page would seem to be light.
if (first.length === 0) throw new Error('The built page asks for nothing.');

for (const { name, maxBytes, modules } of pages) {
  const files = new Set<string>();
  for (const file of first) collectFile(file, files);
  for (const module of modules) collect(module, files);
  const bytes = [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length,
    0,
  );
  const isTooMuch = bytes > maxBytes;
  if (isTooMuch) process.exitCode = 1;
  const say = isTooMuch ? console.error : console.log;
  say(`first load of ${name}: ${(bytes / 1000).toFixed(1)} KB of at most ${maxBytes / 1000}, in ${files.size} files`);
}

function collect(module: string, files: Set<string>): void {
  const chunk = manifest[module] ?? Object.values(manifest).find(({ name }) => name === module);
  // A module that was renamed would otherwise weigh nothing.
  if (!chunk) throw new Error(`The build has no ${module}.`);
  collectChunk(chunk, files);
}

function collectFile(file: string, files: Set<string>): void {
  const chunk = Object.values(manifest).find((each) => each.file === file);
  if (chunk) collectChunk(chunk, files);
  else files.add(file);
}

function collectChunk(chunk: Chunk, files: Set<string>): void {
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const other of chunk.imports ?? []) collect(other, files);
}
