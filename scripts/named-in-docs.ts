/** What the documents of the project name has to be there: files, folders, npm scripts and what links lead to. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Of their time, and right as they were. */
const records = /^(CHANGELOG\.md|THIRD_PARTY_NOTICES|docs\/decisions\/|(evals|bench)\/RESULTS\.md)/;

/** Who follows a tutorial writes these. */
const madeByReaders = /\/(parsers\/vtt|files\/memory)(\.test)?\.ts$/;

const file = /^[\w@.-]+(\/[\w@.<>*-]+)*\.(ts|tsx|mjs|css|json|sh|md)$/;
const folder =
  /^(client|contract|server|web|simulators|scripts|samples|e2e|evals|bench|crash|docs|conformance)(\/[\w.-]+)*\/?$/;

/** A line for each name in a document that is nowhere; empty where all are right. */
export function missingNames(): string[] {
  const paths = globSync('**/*', { exclude: ['**/node_modules/**', 'dist/**', 'data/**'] }).map((path) =>
    path.replaceAll(sep, '/'),
  );
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return paths
    .filter((path) => path.endsWith('.md') && !records.test(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8').replaceAll(/^```.*?^```/gms, '');
      const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
      const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link);
      return [
        ...spans.filter((span) => isPath(span) && !isThere(span)),
        ...spans.flatMap((span) => /\bnpm run ([\w:-]+)/.exec(span)?.[1] ?? []).filter((name) => !(name in scripts)),
        ...links.filter((link) => !existsSync(join(dirname(path), link))),
      ].map((name) => `${path} names ${name}, which is not there`);
    });

  /** By its whole path, or by its end, as where a text speaks of one folder. */
  function isThere(name: string): boolean {
    const end = name
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replaceAll(/<\w+>|\*/g, '[^/]+');
    const pattern = new RegExp(`(^|/)${end}$`);
    return existsSync(name) || paths.some((path) => pattern.test(path));
  }
}

function isPath(span: string): boolean {
  if (madeByReaders.test(span) || span.startsWith('DATA_DIR/')) return false;
  return file.test(span) || (span.includes('/') && folder.test(span));
}
