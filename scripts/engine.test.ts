import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineFlags, engineSettings } from './engine.mjs';

test('the service of an archive is started as that of a clone', async () => {
  const starter = await readFile(join(import.meta.dirname, 'release', 'footnote'), 'utf8');
  expect(starter).toContain(`set -- ${engineFlags.join(' ')} "$@"`);
  for (const [name, value] of Object.entries(engineSettings))
    expect(starter).toContain(`export ${name}="\${${name}:-${value}}"`);
});
