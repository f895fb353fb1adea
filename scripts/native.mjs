// The search engine's native file, where the lockfile has none for this system: it pins every package by its content,
// and for some systems no content was published where it could be looked up (docs/decisions/0020).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const engine = join('node_modules', '@lancedb', 'lancedb');

/**
 * The package that this system needs and that is an empty one, or null where it is there.
 * @param system as Node names it: `{ platform, arch }`
 * @param root of the project
 */
export function unpinnedNative({ platform, arch }, root = '.') {
  const suffix = { linux: '-gnu', win32: '-msvc' }[platform] ?? '';
  const name = `@lancedb/lancedb-${platform}-${arch}${suffix}`;
  const manifest = join(root, 'node_modules', name, 'package.json');
  // What was never published for a system is reported by the engine itself.
  if (!existsSync(manifest)) return null;
  if (JSON.parse(readFileSync(manifest, 'utf8')).name === name) return null;
  return { name, version: JSON.parse(readFileSync(join(root, engine, 'package.json'), 'utf8')).version };
}

/** Puts what the registry has under that name in its place, unchecked. @throws Error where that fails */
export function fetchNative({ name, version }, npm, root = '.') {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-native-'));
  try {
    npm(['pack', `${name}@${version}`, '--pack-destination', folder]);
    const [archive] = readdirSync(folder);
    if (!archive) throw new Error(`The registry has no ${name}@${version}.`);
    const target = join(root, 'node_modules', name);
    const { status } = spawnSync('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
    if (status !== 0) throw new Error(`${archive} could not be unpacked.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
