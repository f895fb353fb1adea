/**
 * Writes THIRD_PARTY_NOTICES: every package that the product installs or builds into its pages, what lies compiled
 * inside them, and the licences' texts. `node scripts/notices/notices.ts --check` fails where the file is not up to
 * date.
 *
 * The list comes from the lockfile, so that it is the same on every system; the texts come from the packages. No text
 * is read of a package for one system, since it is not installed on the others.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, nameOf, readLockfile, shippedPackages } from '../lockfile.ts';
import { bundledParts } from './bundled.ts';
import { standardTexts } from './standard-texts.ts';

const target = 'THIRD_PARTY_NOTICES';
const licenceFile = /^(licen[cs]e|copying|notice)/i;
/** Longer ones list the parts of Node.js and the like; they stay in their package, which bundled.ts names. */
const maxTextLength = 20_000;
/** By packages whose package.json says nothing. */
const licencesNamedElsewhere: Record<string, string> = { 'json-bignum': 'MIT', 'combine-errors': 'MIT' };
const copyrightLine = /^\W*(copyright\b|\(c\)|©)/i;

const text = render();
if (process.argv.includes('--check')) {
  const written = readFileSync(target, { encoding: 'utf8', flag: 'a+' });
  if (written !== text) {
    console.error(`${target} is not up to date: run "node scripts/notices/notices.ts".`);
    process.exitCode = 1;
  }
} else writeFileSync(target, text);

function render(): string {
  const packages = shippedPackages(readLockfile());
  for (const { path, entry } of packages)
    if ((entry.os ?? entry.cpu) && !bundledParts.some(({ inside }) => nameOf(path).startsWith(inside)))
      throw new Error(`Say in scripts/notices/bundled.ts what is compiled into ${nameOf(path)}.`);
  return [
    'What Footnote installs, or builds into its pages, and under which licences. Made by scripts/notices/notices.ts.',
    heading('Inside of native packages'),
    ...bundledParts.map(
      ({ name, inside, licence, copyright, source }) =>
        `${name}, in ${inside}${/[-/]$/.test(inside) ? '*' : ''}: ${licence}\n  ${copyright}\n  ${source}`,
    ),
    heading('Packages'),
    ...packages.map(({ path, entry }) => `${nameOf(path)} ${entry.version}: ${licenceOf(path, entry)}`),
    heading('Texts'),
    ...texts(packages),
    ...Object.entries(standardTexts).map(([name, body]) => `${name}\n\n${body}\n${'-'.repeat(80)}`),
    '',
  ].join('\n');
}

/** Each different text once, beneath the packages that come with it and their copyright lines. */
function texts(packages: { path: string; entry: LockedPackage }[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { path, entry } of packages) {
    if (entry.os ?? entry.cpu ?? entry.libc) continue;
    for (const file of readdirSync(path)
      .filter((name) => licenceFile.test(name))
      .sort()) {
      const lines = readFileSync(join(path, file), 'utf8').replaceAll('\r', '').split('\n');
      const body = lines
        .filter((line) => !copyrightLine.test(line))
        .map((line) => line.trimEnd())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
      const copyright = lines.filter((line) => copyrightLine.test(line)).map((line) => line.trim());
      if (body.length > maxTextLength) continue;
      const owners = groups.get(body) ?? [];
      owners.push([nameOf(path), ...new Set(copyright)].join('\n    '));
      groups.set(body, owners);
    }
  }
  return [...groups].map(([body, owners]) => `${owners.join('\n')}\n\n${body}\n${'-'.repeat(80)}`);
}

function heading(words: string): string {
  return `\n${'='.repeat(80)}\n${words}\n${'='.repeat(80)}\n`;
}

/** @throws Error where nothing names a licence */
function licenceOf(path: string, { license }: LockedPackage): string {
  const known = license ?? licencesNamedElsewhere[nameOf(path)];
  if (!known)
    throw new Error(`${nameOf(path)} names no licence: look it up, and add it to scripts/notices/notices.ts.`);
  return known;
}
