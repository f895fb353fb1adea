/**
 * Keeps the API document as the one that is released, which no later one may break: `node scripts/openapi/release.ts`,
 * when a version is released, and when something is broken knowingly.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { promisedOf } from './promised.ts';

const { paths, ...rest } = promisedOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
// A line for each call, so that a change can be read.
const lines = Object.entries(paths).map(([path, methods]) => `  ${JSON.stringify(path)}: ${JSON.stringify(methods)}`);
const common = Object.entries(rest).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
writeFileSync('docs/openapi-released.json', `{\n${common.join('')}  "paths": {\n${lines.join(',\n')}\n  }\n}\n`);
