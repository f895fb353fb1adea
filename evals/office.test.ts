import { expect, test } from 'vitest';
import { readOfficeQuestions } from './office.ts';

const questions = readOfficeQuestions();

test('each question has an id of its own, and each that can be answered says where', () => {
  expect(questions).toHaveLength(60);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const answerable = questions.filter((question) => question.answerable);
  expect(answerable.filter(({ place, answers, files }) => !place || !answers.length || !files.length)).toEqual([]);
});

test('a fifth asks for what no file has: an entity, a year or a column', () => {
  const absent = questions.filter((question) => !question.answerable).map((question) => question.absent);
  expect(absent).toHaveLength(12);
  expect(new Set(absent)).toEqual(new Set(['entity', 'year', 'column']));
});
