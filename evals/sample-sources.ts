import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { parsePatiently } from '#server/features/ingestion/sandbox/patiently.ts';
import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { Source } from '#server/testing/corpus.ts';
import { filesFolder } from '../samples/build.ts';

/** The documents of samples/ as the product reads and cuts them. */
export async function sampleSources(): Promise<Source[]> {
  const sandbox = await createSandbox({ log: { warn() {} }, concurrency: 1 });
  try {
    const sources: Source[] = [];
    for (const file of readdirSync(filesFolder)) {
      const path = join(filesFolder, file);
      const name = file.normalize('NFC');
      const detected = await detectFile(path, name);
      if (!('format' in detected)) throw new Error(`${name}: ${Object.values(detected)}`);
      const { blocks } = await parsePatiently(sandbox, { path, format: detected.format });
      sources.push({ name, blocks });
    }
    return sources;
  } finally {
    await sandbox.close();
  }
}
