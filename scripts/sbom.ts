/**
 * `npm run sbom [file]` writes what the product ships as CycloneDX, by default to sbom.cdx.json: the packages that are
 * installed to run it, and those that its pages are built from. npm makes the list from the lockfile; what only
 * builds and tests is left out.
 */
import { writeFileSync } from 'node:fs';
import { nameOf, readLockfile, shippedPackages } from './lockfile.ts';
import { npm } from './npm.ts';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  hashes?: { alg: string; content: string }[];
}
export interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** @throws Error where npm can't read the lockfile */
export function makeSbom(): Bom {
  const { code, printed } = npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application');
  if (code !== 0) throw new Error('npm could not make the list: see "npm sbom".');
  const bom = JSON.parse(printed) as Bom;
  const shipped = new Set(shippedPackages(readLockfile()).map(({ path, entry }) => `${nameOf(path)}@${entry.version}`));
  const components = bom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
  const refs = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  // npm takes the folder's name for that of the product.
  const component = { ...bom.metadata.component, name: 'footnote' };
  return { ...bom, metadata: { ...bom.metadata, component }, components, dependencies };
}

if (import.meta.main) {
  const file = process.argv[2] ?? 'sbom.cdx.json';
  const bom = makeSbom();
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${bom.components.length} packages in ${file}`);
}
