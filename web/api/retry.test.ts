import { afterEach, expect, test, vi } from 'vitest';
import { calls } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { isIdempotent, retryPlan, retryWindow, withRetry } from './retry.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('retries exactly the calls that the contract says are idempotent', () => {
  const names = Object.keys(calls) as (keyof typeof calls)[];
  expect(names.filter(isIdempotent).sort()).toEqual(names.filter((name) => calls[name].idempotent).sort());
});

test('pauses grow and stay within two minutes', () => {
  const plan = retryPlan();
  const sum = plan.reduce((all, delay) => all + delay, 0);
  expect(sum).toBeLessThanOrEqual(retryWindow);
  expect(sum).toBeGreaterThan(retryWindow - 15_000);
  expect(plan.every((delay, index) => delay >= (plan[index - 1] ?? 0))).toBe(true);
});

test('tries again while the service is unavailable, and gives the answer', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const answer = withRetry(async () => {
    if (++tries < 4) throw new AppError('unavailable');
    return 'here';
  });
  await vi.runAllTimersAsync();
  expect(await answer).toBe('here');
  expect(tries).toBe(4);
});

test('gives up within two minutes', async () => {
  vi.useFakeTimers();
  const started = Date.now();
  let lastTry = 0;
  const answer = withRetry(async () => {
    lastTry = Date.now() - started;
    throw new AppError('unavailable');
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await answer).toMatchObject({ code: 'unavailable' });
  expect(lastTry).toBeLessThanOrEqual(retryWindow);
  expect(lastTry).toBeGreaterThan(60_000);
});

test('does not repeat what was refused', async () => {
  let tries = 0;
  const work = async () => {
    tries++;
    throw new AppError('permission-denied');
  };
  await expect(withRetry(work)).rejects.toMatchObject({ code: 'permission-denied' });
  expect(tries).toBe(1);
});

test('stops waiting when the caller leaves', async () => {
  const leaving = new AbortController();
  const answer = withRetry(async () => {
    leaving.abort();
    throw new AppError('unavailable');
  }, leaving.signal);
  await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
});
