import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messages } from '#contract/messages.ts';

type Texts = typeof messages;
/** A text of the contract by its place: `chat.thinking`. */
export type TextPath = { [Group in keyof Texts & string]: `${Group}.${keyof Texts[Group] & string}` }[keyof Texts &
  string];

const folder = join('.cache', 'texts-seen');

/** Every text of the specification. */
export const textPaths = Object.entries(messages).flatMap(([group, texts]) =>
  Object.keys(texts).map((name) => `${group}.${name}`),
);

/** The text at the path; one that names something takes what it names. */
export function textAt(path: TextPath, ...args: (string | number)[]): string {
  const [group = '', name = ''] = path.split('.');
  const texts: Record<string, unknown> = { ...Object.entries(messages).find(([each]) => each === group)?.[1] };
  const text = texts[name];
  if (typeof text === 'string') return text;
  if (typeof text === 'function') return String(text(...args));
  throw new Error(`no text at ${path}`);
}

export function recordSeen(path: TextPath): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, path), '');
}

export function seenTexts(): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder);
}

export function forgetSeen(): void {
  rmSync(folder, { recursive: true, force: true });
}
