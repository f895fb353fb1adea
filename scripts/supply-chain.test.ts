import { expect, test } from 'vitest';
import { nameOf, readLockfile, shippedPackages } from './lockfile.ts';
import { makeSbom } from './sbom.ts';

test.each(['package-lock.json', 'conformance/package-lock.json'])('%s pins every package by its content', (path) => {
  const lockfile = readLockfile(path);
  expect(lockfile.size).toBeGreaterThan(100);
  const unpinned = [...lockfile].filter(([, { integrity, link }]) => !link && !/^sha512-/.test(integrity ?? ''));
  expect(unpinned.map(([folder]) => folder)).toEqual([]);
});

test('the bill of materials lists what is shipped, each with the hash of its content, and nothing else', () => {
  const { components, metadata, dependencies } = makeSbom();
  const shipped = shippedPackages(readLockfile()).map(({ path, entry }) => `${nameOf(path)}@${entry.version}`);
  expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual([...new Set(shipped)].sort());
  expect(shipped).toContainEqual(expect.stringMatching(/^react@/));
  expect(shipped).toContainEqual(expect.stringMatching(/^@lancedb\/lancedb-linux-x64-gnu@/));
  expect(shipped).not.toContainEqual(expect.stringMatching(/^vitest@/));
  expect(components.filter(({ hashes = [] }) => !hashes.some(({ alg }) => alg === 'SHA-512'))).toEqual([]);
  expect(metadata.component).toMatchObject({ name: 'footnote' });
  expect(dependencies.length).toBeGreaterThan(components.length / 2);
});
