import { expect, test } from 'vitest';
import { createChanges, createStore } from './store.ts';

test('tells every listener of every change until it stops', () => {
  const store = createStore('a');
  const heard: string[] = [];
  const stop = store.subscribe(() => heard.push(store.value));
  store.set('b');
  store.begin('c');
  expect(store.value).toBe('c');
  store.set('d');
  stop();
  store.set('e');
  expect(heard).toEqual(['b', 'd']);
});

test('watches what is outside exactly as long as anybody listens', () => {
  const log: string[] = [];
  const changes = createChanges((tell) => {
    log.push('begins');
    tell();
    return () => log.push('ends');
  });
  const [one, other] = [changes.subscribe(() => log.push('told')), changes.subscribe(() => {})];
  expect(changes.isHeard()).toBe(true);
  one();
  one();
  expect(log).toEqual(['begins', 'told']);
  other();
  expect(log).toEqual(['begins', 'told', 'ends']);
  expect(changes.isHeard()).toBe(false);
  changes.subscribe(() => {});
  expect(log).toEqual(['begins', 'told', 'ends', 'begins']);
});
