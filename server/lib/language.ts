import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Eld from 'eld/extrasmall';
import { lazily } from './lazily.ts';

/** Its tables take 0.1 to 0.3 s of a processor to load, and many a process reads no text. */
const detector = lazily(() => {
  const library: typeof Eld = createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('eld/extrasmall')));
  return library.eld;
});

/** Of longer texts the beginning is looked at. */
const maxDetected = 2000;
/** Letters of a document; fewer may be a name, and a passage in another language than its document has more. */
const minLetters = 60;
const minOwnLetters = 150;
/** How far the likeliest language is ahead of the next, of 1: English with many foreign names is not. */
const minLead = 0.03;
/** Passages by which the language of a document is told, and characters of each. */
const sampled = 20;
const sampledLength = 300;

/**
 * The language of a text, told by its letters (ISO 639-1; Norwegian is `no`).
 * @returns null where there is too little of it, or where it may as well be another
 */
export function detectLanguage(text: string, min = minLetters): string | null {
  const start = text.slice(0, maxDetected);
  if ((start.match(/\p{L}/gu)?.length ?? 0) < min) return null;
  const found = detector().detect(start);
  if (found.language === '' || !found.isReliable()) return null;
  const scores = found.getScores();
  const next = Math.max(
    0,
    ...Object.entries(scores).flatMap(([name, score]) => (name === found.language ? [] : [score])),
  );
  return (scores[found.language] ?? 0) - next >= minLead ? found.language : null;
}

/** The language that a question is most likely in: of a few words a guess. Null where there is nothing to guess by. */
export function guessLanguage(question: string): string | null {
  return detector().detect(question.slice(0, maxDetected)).language || null;
}

/**
 * The language of each passage of a document, one after the other: its own, where it has enough text to say so, else
 * the document's; null where neither says.
 */
export function* languagesOf(texts: readonly string[]): Generator<string | null> {
  const step = Math.max(1, Math.floor(texts.length / sampled));
  const sample = texts.filter((_, i) => i % step === 0).slice(0, 2 * sampled);
  const whole = detectLanguage(sample.map((text) => text.slice(0, sampledLength)).join('\n'));
  for (const text of texts) yield detectLanguage(text, minOwnLetters) ?? whole;
}
