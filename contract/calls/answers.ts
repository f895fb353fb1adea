import { z } from 'zod';
import { answerLanguages } from '../agent.ts';
import { defineCall } from '../call.ts';
import { maxQuestionLength } from '../question.ts';
import { placedBox } from './document-page.ts';

/** Which documents are searched: those that fit all that is given. Any of them needs the feature `search-filters`. */
export const filters = z
  .object({
    documentIds: z.array(z.uuid()).min(1).max(1000).optional(),
    /** Documents with at least one of the tags. */
    tags: z.array(z.string().trim().min(1).max(100)).min(1).max(50).optional(),
    /** When the version that answers was uploaded: from this moment on. */
    uploadedAfter: z.iso.datetime({ offset: true }).optional(),
    /** Before this moment. */
    uploadedBefore: z.iso.datetime({ offset: true }).optional(),
  })
  .strict();
export type Filters = z.infer<typeof filters>;

export const source = z.object({
  /** The number that stands in the answer as `[n]`. */
  n: z.number().int().positive(),
  /** The file's name without its ending; of a spreadsheet with the sheet behind it. */
  title: z.string(),
  name: z.string(),
  /** Of a row of a spreadsheet: the name of its sheet. */
  sheet: z.string().optional(),
  /** The document page with the quote marked: `/documents/<documentId>/<version>?cite=<id>`. */
  url: z.string(),
  documentId: z.uuid(),
  version: z.number().int(),
  page: z.number().int().optional(),
  /** One sentence, list item or table row, word for word as in the document; at most 300 characters. */
  quote: z.string(),
  /** Found beside the quotes that answer: its number does not stand in `answer`, and it comes behind those that do. */
  supporting: z.literal(true).optional(),
  /** Where in the quote the short answer stands, where that is clear: offsets (UTF-16 code units), end exclusive. */
  emphasis: z.object({ start: z.number().int().nonnegative(), end: z.number().int().positive() }).optional(),
  /**
   * Of a table row below named columns: the cells that answer, each with the name of its column (empty where it has
   * none, or a long one), what the figures count where that stands elsewhere, and the cell that was asked for.
   */
  row: z
    .object({
      cells: z.array(z.object({ head: z.string(), text: z.string() })),
      unit: z.string().optional(),
      asked: z.number().int().nonnegative().optional(),
    })
    .optional(),
  /** Where it stands in the version's extracted text: offsets (UTF-16 code units), end exclusive. */
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  /** Where the paragraph, item or row that it is taken from stands on its page: of PDF and pictures. */
  boxes: z.array(placedBox).optional(),
});
export type Source = z.infer<typeof source>;

/** A claim of the answer: offsets (UTF-16 code units) into `answer`, end exclusive. */
const claim = z.object({ start: z.number().int().nonnegative(), end: z.number().int().positive() });
export type AnswerClaim = z.infer<typeof claim>;
/** A claim whose sources do not say so. */
const unsupportedClaim = claim.extend({
  /** `contradicted`: a source has something else in its place; `not-found`: nothing of the kind stands there. */
  reason: z.enum(['contradicted', 'not-found']).optional(),
});
export type UnsupportedClaim = z.infer<typeof unsupportedClaim>;

const passage = z.object({
  documentId: z.uuid(),
  name: z.string(),
  version: z.number().int(),
  page: z.number().int().optional(),
  /** The page on which it ends, where that is another one. */
  lastPage: z.number().int().optional(),
  heading: z.string().optional(),
  text: z.string(),
  score: z.number(),
  /**
   * The document page, opened at the passage: `/documents/<documentId>/<version>?at=<start>-<end>`, with its `page`.
   */
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
                .array(z.object({ text: z.string().max(maxQuestionLength) }).strict())
                .min(1)
                .max(20),
            })
            .strict()
            .refine((entry) => entry.parts.reduce((sum, part) => sum + part.text.length, 0) <= maxQuestionLength, {
              message: `An entry has at most ${maxQuestionLength.toLocaleString('en')} characters.`,
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
    /** What is cited, in order of first use; then, marked as `supporting`, what else was found. */
    sources: z.array(source),
    /** False: nothing in the documents answers the question. */
    answered: z.boolean(),
    queryId: z.uuid(),
    /** When not answered, or when no claim of the answer has a marker: the closest passages. */
    closest: z.array(passage).optional(),
    /** Claims that have lost their markers, in their order; absent where every claim with a marker is supported. */
    unsupported: z.array(unsupportedClaim).optional(),
    /**
     * Claims on which the words of their sources do not decide, in their order: they have no marker, and lack no
     * source.
     */
    unchecked: z.array(claim).optional(),
    /** A sentence for the reader about how the answer was made, such as that it is quoted since the model failed. */
    notice: z.string().optional(),
    /** Of the words that are ours in the answer, and so for those that a screen puts beside it. */
    language: z.enum(answerLanguages),
    /** The question before that this one was taken to go on from: it was searched for together with that one. */
    followingUp: z.string().optional(),
    /** When not answered: whom the company wants to be asked then, as an e-mail, an address or words. */
    contact: z.string().optional(),
    /** The version of the assistant's settings by which it was answered; 0: never saved. */
    agentVersion: z.number().int(),
  }),
  message: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('status'),
      status: z.enum(['searching', 'reading', 'writing']),
      /** With the first one what the result will say, so that it can be shown above the answer from the beginning. */
      language: z.enum(answerLanguages).optional(),
      followingUp: z.string().optional(),
    }),
    /** What comes next of `answer`, markers included. */
    z.object({ type: z.literal('token'), text: z.string() }),
    /** Comes before the token that has its marker. */
    z.object({ type: z.literal('citation'), source }),
    /** A claim of what has come so far: offsets into the tokens put together. */
    z.object({ type: z.literal('unsupported'), claim: unsupportedClaim }),
    /** The same of a claim that could not be checked. */
    z.object({ type: z.literal('unchecked'), claim }),
    /**
     * What is being written beyond the tokens, and not checked yet: it keeps its first `from` code units, then goes on
     * with the text. To be shown as being checked, or not at all; it ends with the tokens that take its place, or is
     * taken back. Of an answer that is written it is the first message, and the last of those that belong together: to
     * be drawn then.
     */
    z.object({ type: z.literal('draft'), from: z.number().int().nonnegative(), text: z.string() }),
    /** What has come so far does not hold (the model failed, a document was deleted): tokens and sources begin anew. */
    z.object({ type: z.literal('restart'), notice: z.string().optional() }),
  ]),
  access: 'member',
  scope: 'read',
  feature: 'ask',
  idempotent: false,
  byKey: true,
  audit: 'question-asked',
});

export const searchPassages = defineCall({
  summary:
    'The best passages for a query: search without an answer. Of a passage that gives orders to language models only what stands before them.',
  input: z
    .object({
      query: z
        .string()
        .max(maxQuestionLength)
        .refine((text) => text.trim() !== '', { message: 'The query is empty.' }),
      limit: z.number().int().min(1).max(50).optional(),
      filters: filters.optional(),
    })
    .strict(),
  output: z.object({ passages: z.array(passage) }),
  access: 'member',
  scope: 'read',
  feature: 'ask',
  idempotent: true,
});

export const rateAnswer = defineCall({
  summary: 'Says of an answer of your own whether it helped, and why not; null takes it back.',
  input: z
    .object({
      queryId: z.uuid(),
      rating: z.enum(['up', 'down']).nullable(),
      reason: z.string().trim().max(1000).optional(),
    })
    .strict(),
  output: z.null(),
  access: 'member',
  scope: 'write',
  feature: 'ask',
  idempotent: true,
});

export const getSuggestedQuestions = defineCall({
  summary: "Questions to begin with: each is answered by the company's documents, with a source.",
  /** `language`: the reader's (BCP 47); questions in it come first, and alone where there are some. */
  input: z
    .object({ language: z.string().max(35) })
    .strict()
    .nullable(),
  output: z.object({
    questions: z.array(z.string()).max(4),
    /** Of each question the document that answers it; null where the company has written it itself. */
    documents: z.array(z.object({ documentId: z.uuid(), name: z.string() }).nullable()).max(4),
  }),
  access: 'member',
  scope: 'read',
  feature: 'ask',
  idempotent: true,
});
