import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What the service is made of, and what whoever runs it reads. */
const folders = ['contract', 'server', 'simulators/stripe', 'client', 'samples/files', 'dist/web'];
const files = [
  'LICENSE',
  'THIRD_PARTY_NOTICES',
  'CHANGELOG.md',
  '.env.example',
  'docs/configuration.md',
  'docs/operations.md',
  'docs/runbooks.md',
  'docs/errors.md',
  'docs/api.md',
  'docs/openapi.json',
];

/** The commands of the service, by the name that they have in `npm run`. */
export const commands = {
  start: 'server/main.ts',
  demo: 'scripts/demo.ts',
  company: 'scripts/company.ts',
  audit: 'scripts/audit.ts',
  backup: 'scripts/backup.ts',
  doctor: 'scripts/doctor.ts',
  restore: 'scripts/restore.ts',
  keys: 'scripts/keys.ts',
  reindex: 'scripts/reindex.ts',
  'stripe:setup': 'scripts/stripe-setup.ts',
};
/** What those of them import beside the server. */
export const shared = [
  'scripts/service-database.ts',
  'scripts/verify-audit-logs.ts',
  'scripts/npm.ts',
  'scripts/lockfile.ts',
  'scripts/tell-failure.ts',
];

/** Copies everything of ours into an empty folder. Suites stay behind, with what they alone use. */
export function copySources(target: string): void {
  for (const folder of folders) copy(folder, target, isShipped);
  for (const file of [...files, ...Object.values(commands), ...shared]) copy(file, target);
  copy('scripts/release/README.txt', target, undefined, 'README.txt');
  copy('scripts/release/footnote', target, undefined, 'footnote');
}

/** What Node has to know of the package: no script of the repository, and nothing that only builds or tests. */
export function writeManifest(target: string): void {
  const { name, version, license, type, imports, dependencies } = readManifest();
  const manifest = { name, version, private: true, license, type, imports, dependencies };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

export function readManifest(): Record<string, unknown> & { name: string; version: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** All files below a folder, as paths below it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** @param path of this machine */
function isShipped(path: string): boolean {
  const place = relative(root, path).split(sep).join('/');
  return !/(\.(test|conformance)\.tsx?$|^server\/testing\/|\/fixtures\.ts$|\/(escaping|misbehaving)-child\.ts$|^server\/ports\/[^/]+\/contract|\/\.built-from$)/.test(
    place,
  );
}

function copy(path: string, target: string, filter?: (path: string) => boolean, name = path): void {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  cpSync(join(root, path), join(target, name), { recursive: true, ...(filter && { filter }) });
}
