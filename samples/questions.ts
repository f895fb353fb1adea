import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of questions.jsonl; what its fields mean stands in README.md. */
export type Question = Answerable | { id: string; kind: 'unanswerable'; question: string };

export interface Answerable {
  id: string;
  kind: 'fact' | 'table' | 'steps' | 'german' | 'follow-up' | 'two-documents';
  question: string;
  file: string;
  page?: number;
  answer: string;
  row?: string;
  history?: string[];
}

export function readQuestions(): Question[] {
  return readFileSync(join(import.meta.dirname, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
