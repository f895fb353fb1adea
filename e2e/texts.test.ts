import { expect, test } from '@playwright/test';
import { seenTexts, textPaths } from './texts.ts';

/** Texts that no screen can come to show, and why. */
const unreachable: Record<string, string> = {
  'documents.deleteSignedOut': 'who is signed out is led to the login screen before anything can be deleted',
  'documents.deleteFailed': 'the default for a failure without a message, and every failure has one',
  'team.removeSignedOut': 'who is signed out is led to the login screen before anybody can be removed',
  'signup.failed': 'the default for a failure without a message, and every failure has one',
  'chat.failed': 'the default for a failure without a message, and every failure has one',
};

test('every text of the specification was seen on a screen', () => {
  const seen = seenTexts();
  const waiting = Object.keys(unreachable);
  expect(textPaths.filter((path) => !seen.includes(path) && !waiting.includes(path))).toEqual([]);
  expect(waiting.filter((path) => seen.includes(path) || !textPaths.includes(path))).toEqual([]);
});
