/**
 * What the documents of the project name has to be there: files, folders, npm scripts and what links lead to; and what
 * comments name of its code.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Of their time, and right as they were. */
const records = /^(CHANGELOG\.md|THIRD_PARTY_NOTICES|docs\/decisions\/|(evals|bench)\/RESULTS\.md)/;

/** Who follows a tutorial writes these. */
const madeByReaders = /\/(parsers\/vtt|files\/memory)(\.test)?\.ts$/;

const file = /^[\w@.-]+(\/[\w@.<>*-]+)*\.(ts|tsx|mjs|css|json|sh|md)$/;
const folder =
  /^(client|contract|server|web|simulators|scripts|samples|e2e|evals|bench|crash|docs|conformance)(\/[\w.-]+)*\/?$/;

const source = /^(client|contract|server|web|simulators|scripts|samples|e2e|evals|bench|crash)\/.+\.(ts|tsx|mjs)$/;
/** A file of code within a text, but for one that is relative to a reader's own. */
const codeFile = /(?<![\w@./<>*-])\w[\w@.-]*(\/[\w@.<>*-]+)*\.(tsx?|mjs)(?![\w/-])/g;

/** A line for each name in a document or a comment that is nowhere; empty where all are right. */
export function missingNames(): string[] {
  const paths = globSync('**/*', { exclude: ['**/node_modules/**', 'dist/**', 'data/**'] }).map((path) =>
    path.replaceAll(sep, '/'),
  );
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return [
    ...paths.filter((path) => path.endsWith('.md') && !records.test(path)).flatMap(missingInText),
    ...paths.filter((path) => source.test(path)).flatMap(missingInComments),
  ].map(([path, name]) => `${path} names ${name}, which is not there`);

  function missingInText(path: string): [string, string][] {
    const text = readFileSync(path, 'utf8').replaceAll(/^```.*?^```/gms, '');
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link);
    const names = [
      ...spans.filter((span) => isPath(span) && !isThere(span)),
      ...spans.flatMap((span) => /\bnpm run ([\w:-]+)/.exec(span)?.[1] ?? []).filter((name) => !(name in scripts)),
      ...links.filter((link) => !existsSync(join(dirname(path), link))),
    ];
    return names.map((name) => [path, name]);
  }

  /** A name alone is of the same part of the project, where another part may have another file of that name. */
  function missingInComments(path: string): [string, string][] {
    const comments = readFileSync(path, 'utf8').match(/^\s*(\*|\/\/|\/\*).*$/gm) ?? [];
    const names = comments.flatMap((comment) => [...comment.matchAll(codeFile)].map(([name]) => name));
    const [part = ''] = path.split('/');
    return names
      .filter((name) => !isThere(name, name.includes('/') ? '' : `${part}/`))
      .map((name): [string, string] => [path, name]);
  }

  /** By its whole path, or by its end, as where a text speaks of one folder. */
  function isThere(name: string, below = ''): boolean {
    const end = name
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replaceAll(/<\w+>|\*/g, '[^/]+');
    const pattern = new RegExp(`(^|/)${end}$`);
    return existsSync(name) || paths.some((path) => path.startsWith(below) && pattern.test(path));
  }
}

function isPath(span: string): boolean {
  if (madeByReaders.test(span) || span.startsWith('DATA_DIR/')) return false;
  return file.test(span) || (span.includes('/') && folder.test(span));
}
