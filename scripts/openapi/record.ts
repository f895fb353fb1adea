/**
 * Records what the calls answer in a real run, as the examples of the API document: `node scripts/openapi/record.ts`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { steady } from './steady.ts';
import { tellStory } from './story.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'footnote-examples-'));
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', BILLING: 'off', PORT: '0' });
const app = await createApp(config);
try {
  const url = await app.listen();
  const examples = await tellStory({ url, idle: () => app.jobs.idle() });
  const today = new Date().toISOString().slice(0, 10);
  const told = steady(examples, { origins: [url, config.publicUrl], today });
  await writeFile('scripts/openapi/examples.json', `${JSON.stringify(told, null, 2)}\n`);
  console.log(`${Object.keys(told).length} examples. Now: node scripts/docs.ts`);
} finally {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}
