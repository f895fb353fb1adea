import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fetchNative, unpinnedNative } from './native.mjs';

const name = '@lancedb/lancedb-darwin-arm64';
const root = mkdtempSync(join(tmpdir(), 'footnote-native-test-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(packageName: string, inside = packageName) {
  const folder = join(root, 'node_modules', inside);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: packageName, version: '1.2.3' }));
}

test('this system has what it needs, and one whose native is an empty package is told which', () => {
  install('@lancedb/lancedb');
  install('empty-npm-package', name);
  expect(unpinnedNative({ platform: 'darwin', arch: 'arm64' }, root)).toEqual({ name, version: '1.2.3' });
  install(name);
  expect(unpinnedNative({ platform: 'darwin', arch: 'arm64' }, root)).toBeNull();
  expect(unpinnedNative({ platform: 'sunos', arch: 'x64' }, root)).toBeNull();
});

test('what the registry hands out takes the place of the empty package', () => {
  install('@lancedb/lancedb');
  install('empty-npm-package', name);
  const packed = join(root, 'packed');
  fetchNative(
    { name, version: '1.2.3' },
    ([, spec = '', , folder = '']: string[]) => {
      expect(spec).toBe(`${name}@1.2.3`);
      mkdirSync(join(packed, 'package'), { recursive: true });
      writeFileSync(join(packed, 'package', 'package.json'), JSON.stringify({ name }));
      writeFileSync(join(packed, 'package', 'engine.node'), 'native');
      spawnSync('tar', ['-czf', join(folder, 'packed.tgz'), '-C', packed, 'package']);
    },
    root,
  );
  expect(existsSync(join(root, 'node_modules', name, 'engine.node'))).toBe(true);
  expect(unpinnedNative({ platform: 'darwin', arch: 'arm64' }, root)).toBeNull();
  expect(() => fetchNative({ name, version: '9.9.9' }, () => {}, root)).toThrow(
    'no @lancedb/lancedb-darwin-arm64@9.9.9',
  );
});
