import { z } from 'zod';
import { defineCall } from '../call.ts';

const filters = z
  .object({
    documentIds: z.array(z.uuid()).max(1000).optional(),
  })
  .strict();

export const source = z.object({
  /** The number that stands in the answer as `[n]`. */
  n: z.number().int().positive(),
  title: z.string(),
  name: z.string(),
  /** The document page with the quote marked: `/documents/<documentId>/<version>?cite=<id>`. */
  url: z.string(),
  documentId: z.uuid(),
  version: z.number().int(),
  page: z.number().int().optional(),
  /** One sentence, list item or table row, word for word as in the document; at most 300 characters. */
  quote: z.string(),
});
export type Source = z.infer<typeof source>;

const passage = z.object({
  documentId: z.uuid(),
  name: z.string(),
  version: z.number().int(),
  page: z.number().int().optional(),
  heading: z.string().optional(),
  text: z.string(),
  score: z.number(),
  url: z.string(),
});
export type Passage = z.infer<typeof passage>;

export const query = defineCall({
  summary: "Answers a question from the company's documents, with numbered sources.",
  input: z
    .object({
      history: z
        .array(
          z
            .object({
              role: z.enum(['user', 'model']),
              parts: z
                .array(z.object({ text: z.string().max(8000) }).strict())
                .min(1)
                .max(20),
            })
            .strict()
            .refine((entry) => entry.parts.reduce((sum, part) => sum + part.text.length, 0) <= 8000, {
              message: 'An entry has at most 8,000 characters.',
            }),
        )
        .min(1)
        .max(20)
        .refine((history) => history.at(-1)?.role === 'user', { message: 'The last entry must be of role user.' })
        .refine((history) => history.at(-1)?.parts.some((part) => part.text.trim() !== '') ?? false, {
          message: 'The question is empty.',
        }),
      filters: filters.optional(),
    })
    .strict(),
  output: z.object({
    answer: z.string(),
    /** Only what is cited, in order of first use. */
    sources: z.array(source),
    /** False: nothing in the documents answers the question. */
    answered: z.boolean(),
    queryId: z.uuid(),
    /** When not answered: the closest passages. */
    closest: z.array(passage).optional(),
  }),
  message: z.discriminatedUnion('type', [
    z.object({ type: z.literal('status'), status: z.enum(['searching', 'reading', 'writing']) }),
    z.object({ type: z.literal('token'), text: z.string() }),
    z.object({ type: z.literal('citation'), source }),
  ]),
  access: 'member',
  feature: 'ask',
  idempotent: false,
});

export const searchPassages = defineCall({
  summary: 'The best passages for a query: search without an answer.',
  input: z
    .object({
      query: z
        .string()
        .max(8000)
        .refine((text) => text.trim() !== '', { message: 'The query is empty.' }),
      limit: z.number().int().min(1).max(50).optional(),
      filters: filters.optional(),
    })
    .strict(),
  output: z.object({ passages: z.array(passage) }),
  access: 'member',
  feature: 'ask',
  idempotent: true,
});
