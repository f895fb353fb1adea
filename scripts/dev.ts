/**
 * Development: the server restarts when its code changes, the web app reloads in place. Open the address of the web
 * app.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stopAtSignals } from '#server/stop.ts';

const processes = [
  spawn(process.execPath, ['--watch', 'server/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js'], { stdio: 'inherit' }),
];

const ended = Promise.all(processes.map((each) => once(each, 'exit')));
stopAtSignals(async () => {
  for (const each of processes) each.kill();
  await ended;
});
// One without the other is of no use.
for (const each of processes) {
  each.on('exit', () => {
    for (const other of processes) other.kill();
  });
}
await ended;
