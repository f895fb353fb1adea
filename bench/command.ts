import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watchTree } from './process-memory.ts';

/**
 * Runs what an npm script of the operator's runs, in a process of its own.
 * @returns how long it took in milliseconds, and the most memory of it and all below it in bytes
 * @throws Error with what it said where it fails
 */
export async function runCommand(
  name: 'backup' | 'restore',
  args: string[],
  settings: Record<string, string>,
): Promise<{ ms: number; most: number; said: string }> {
  const started = performance.now();
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', ...settings },
  });
  const memory = watchTree(child.pid ?? 0);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (piece) => (said += piece));
  const [code] = await once(child, 'close');
  const { most } = memory.end();
  if (code !== 0) throw new Error(`npm run ${name} ended with ${code}:\n${said}`);
  return { ms: performance.now() - started, most, said };
}
