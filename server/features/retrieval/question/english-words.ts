import { readFileSync } from 'node:fs';
import path from 'word-list';
import { hashed } from './hashed.ts';

const lineEnd = 10;
/** Hashes of all words, in order: far less than the words would take, and one in 16,000 others is taken for a word. */
let hashes: Uint32Array | undefined;

/** Reads the list, which takes longer than any question may: the first one need not wait for it. */
export function prepareEnglishWords(): void {
  hashes ??= readHashes();
}

/**
 * Whether English has a word in just this form. The 274,000 words are those of games of words: no names, and few that a
 * trade has made up.
 * @param word in small letters
 */
export function isEnglish(word: string): boolean {
  hashes ??= readHashes();
  const wanted = hashOf(word);
  let [from, to] = [0, hashes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((hashes[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return hashes[from] === wanted;
}

/** There is a word in each line. They are not cut out: each would be a text of its own for a moment. */
function readHashes(): Uint32Array {
  const text = readFileSync(path);
  const found = new Uint32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text[i] ?? 0;
    if (code === lineEnd) count++;
    else found[count] = hashed(found[count] ?? 0, code);
  }
  return found.slice(0, count + 1).sort();
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i));
  return hash >>> 0;
}
