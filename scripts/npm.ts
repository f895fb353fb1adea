import { spawnSync } from 'node:child_process';

/** Runs npm, the one that runs us where npm does. @returns what it printed, whatever its exit code says */
export function npm(...args: string[]): { code: number; printed: string } {
  const runner = process.env.npm_execpath;
  const options = { encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 } as const;
  const result = runner?.endsWith('.js')
    ? spawnSync(process.execPath, [runner, ...args, '--loglevel=silent'], options)
    : spawnSync('npm', [...args, '--loglevel=silent'], { ...options, shell: process.platform === 'win32' });
  if (result.error) throw result.error;
  return { code: result.status ?? 1, printed: result.stdout };
}
