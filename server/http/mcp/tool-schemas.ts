import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { maxQuestionLength } from '#contract/question.ts';

/** The schema, whose JSON Schema is made once: a server is made for each message, and would make it each time. */
function kept<S extends z.ZodType>(schema: S): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const standard = (schema as unknown as StandardSchemaWithJSON<z.input<S>, z.output<S>>)['~standard'];
  const { input, output } = standard.jsonSchema;
  return { '~standard': { ...standard, jsonSchema: { input: once(input), output: once(output) } } };
}

/** Its answer to the first question for all of them: there is one dialect that is asked for. */
function once<Options, T>(make: (options: Options) => T): (options: Options) => T {
  let made: T | undefined;
  return (options) => {
    made ??= make(options);
    return made;
  };
}

/** As the calls have it; said here, too, since it is by this that a model knows. */
const text = z.string().min(1).max(maxQuestionLength);

const url = z.string().describe('Opens the document at this very place. Cite it.');

export const searchInput = kept(
  z.object({
    query: text.describe('What to look for, in words or as a question, in any language.'),
    limit: z.number().int().min(1).max(50).optional().describe('How many passages at most; 10 unless said otherwise.'),
  }),
);
const result = z.object({
  id: z.string().describe('For fetch.'),
  title: z.string(),
  url,
  text: z.string().describe('The passage, word for word.'),
  heading: z.string().optional(),
  page: z.number().int().optional(),
});
export const searchOutput = kept(z.object({ results: z.array(result) }));

export const fetchInput = kept(
  z.object({
    id: z
      .string()
      .max(2048)
      .describe(
        'Of a result of search, or the address of a document or of a source; `metadata.next` of a text to go on.',
      ),
  }),
);
export const fetchOutput = kept(
  z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url,
    metadata: z.object({
      documentId: z.string(),
      version: z.number().int(),
      next: z.string().optional().describe('The id with which the text goes on; absent at its end.'),
      left_out: z.string().optional().describe('What is missing, and why.'),
    }),
  }),
);

export const askInput = kept(
  z.object({ question: text.describe('A question that says all it is about, in any language.') }),
);
const fullAnswer = z.object({
  answer: z.string().describe('Its [n] are the sources below.'),
  answered: z.boolean().describe('False: nothing in the documents answers it.'),
  sources: z.array(
    z.object({
      n: z.number().int(),
      id: z.string().describe('For fetch: the text from there on.'),
      title: z.string(),
      quote: z.string().describe('Word for word.'),
      url,
      page: z.number().int().optional(),
      supporting: z.boolean().optional().describe('Found beside what answers; no [n] of the answer means it.'),
    }),
  ),
  closest: z.array(result).optional().describe('When it is not answered: the passages nearest to it.'),
  notice: z.string().optional(),
  contact: z.string().optional().describe('When it is not answered: whom the company wants to be asked.'),
});
export type FullAnswer = z.output<typeof fullAnswer>;
export const askOutput = kept(fullAnswer);
