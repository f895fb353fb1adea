import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

// What npm does: a shell between it and the service, which a signal ends without the service hearing of it.
test('a service started by npm stops when the shell between them is gone', async () => {
  const service = `
    const { stopAtSignals } = await import(${JSON.stringify(new URL('./stop.ts', import.meta.url).href)});
    stopAtSignals(async () => console.log('closed'));
    const alive = setInterval(() => {}, 1000);
    console.log('up');`;
  const shell = spawn('/bin/sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, service], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: shell.stdout })) {
    said.push(line);
    if (line === 'up') shell.kill('SIGTERM');
  }
  expect(said).toEqual(['up', 'closed']);
});

test('a signal closes once and ends the process well', async () => {
  const service = `
    const { stopAtSignals } = await import(${JSON.stringify(new URL('./stop.ts', import.meta.url).href)});
    stopAtSignals(async () => console.log('closed'));
    setInterval(() => {}, 1000);
    console.log('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', service], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === 'up') child.kill('SIGTERM');
  }
  expect(said).toEqual(['up', 'closed']);
  expect(await exit).toEqual([0, null]);
});
