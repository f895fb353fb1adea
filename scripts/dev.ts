/** Development: the server restarts when its code changes, the web app reloads in place. Open the address of the web app. */
import { spawn } from 'node:child_process';

const processes = [
  spawn(process.execPath, ['--watch', 'server/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js'], { stdio: 'inherit' }),
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const each of processes) each.kill(signal);
  });
}
for (const each of processes) {
  each.on('exit', (code) => {
    for (const other of processes) other.kill('SIGTERM');
    process.exitCode ||= code ?? 0;
  });
}
