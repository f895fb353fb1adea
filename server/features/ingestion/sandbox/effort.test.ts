import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { EffortClock } from './effort.ts';

const spin = 'for (;;);';
const stand = 'setInterval(() => {}, 1e9)';
const lookEveryMs = 50;

let children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

function start(program: string): number {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

/** What the process has used of the time. */
async function watch(clock: EffortClock, ms: number, { talks = false } = {}) {
  const began = performance.now();
  for (;;) {
    await wait(lookEveryMs);
    if (talks) clock.hear();
    // Before the look: others may have the processor after it.
    const wallMs = performance.now() - began;
    const effort = clock.look();
    if (wallMs >= ms) return { ...effort, wallMs };
  }
}

describe.skipIf(!existsSync('/proc/self/stat'))('the time of a process', () => {
  test.each([
    ['computes', spin],
    ['stands still', stand],
  ])('counts where it %s', async (_, program) => {
    const clock = new EffortClock(start(program), lookEveryMs);
    while (clock.look().usedMs < 300) await wait(lookEveryMs);
    expect(clock.look().silentMs).toBeGreaterThanOrEqual(300);
  });

  test('does not count where others have the processor', async () => {
    const starved = start(spin);
    setPriority(starved, 19);
    for (let i = 0; i < availableParallelism(); i++) start(spin);
    const { usedMs, wallMs } = await watch(new EffortClock(starved, lookEveryMs), 1500);
    expect(usedMs).toBeLessThan(wallMs / 2);
  });

  test('does not count where it waits, and says something all the time', async () => {
    const clock = new EffortClock(start(stand), lookEveryMs);
    // Its own start is computing.
    while (clock.look().usedMs < 500) await wait(lookEveryMs);
    const before = clock.look().usedMs;
    const { usedMs, silentMs } = await watch(clock, 500, { talks: true });
    expect(usedMs - before).toBeLessThan(250);
    expect(silentMs).toBe(0);
  });
});

test('where the system tells nothing, all time counts', async () => {
  const { usedMs, wallMs } = await watch(new EffortClock(undefined, lookEveryMs), 200);
  expect(usedMs).toBeGreaterThan(wallMs * 0.9);
});
