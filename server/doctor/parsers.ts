import type { Config } from '#server/config/config.ts';
import { createSandbox, type Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import { type Finding, inWords } from './finding.ts';

/** How a process that reads what strangers send is held on this machine, found out by starting one. */
export async function examineParsers({ ocrLanguages }: Pick<Config, 'ocrLanguages'>): Promise<Finding[]> {
  const about = 'Parsers';
  let sandbox: Sandbox;
  try {
    sandbox = await createSandbox({ log: { warn() {} }, ocrLanguages });
  } catch (error) {
    return [{ about, state: 'wrong', says: `No document can be read: ${inWords(error)}.` }];
  }
  const { weakness } = sandbox;
  await sandbox.close();
  if (weakness === null) return [{ about, state: 'right', says: 'They are held by all walls that there are.' }];
  const todo = 'docs/operations.md, “As an archive, an image or a unit of systemd”, says what a container takes away.';
  return [
    { about, state: 'notice', says: `One that was taken over is held less well than it could be: ${weakness}.`, todo },
  ];
}
