import { z } from 'zod';
import { defineCall } from '../call.ts';
import { fileStates } from './documents.ts';

/** How the document page shows a version: the original's pages, or its text as a reading view. */
export const documentViews = ['pdf', 'text'] as const;

/** Left, top, right, bottom, as fractions of the page's width and height. */
const pageBox = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export const placedBox = z.object({ page: z.number().int(), box: pageBox });

/** Of a passage that is asked for by where it stands: longer than any that a search answers. */
const maxPassageLength = 20_000;

export const getDocument = defineCall({
  summary: 'What the document page shows: the version, whether it is superseded, and the cited passage.',
  input: z
    .object({
      documentId: z.uuid(),
      version: z.number().int().positive(),
      cite: z.uuid().optional(),
      /** Instead of a citation: where a passage stands in the extracted text, as `<start>-<end>`, end exclusive. */
      at: z
        .string()
        .regex(/^\d{1,9}-\d{1,9}$/)
        .refine(
          (at) => {
            const [start = 0, end = 0] = at.split('-').map(Number);
            return start < end && end - start <= maxPassageLength;
          },
          { message: 'A passage has 1 to 20,000 characters.' },
        )
        .optional(),
    })
    .strict(),
  output: z.object({
    documentId: z.uuid(),
    name: z.string(),
    path: z.string(),
    bucket: z.string(),
    version: z.number().int(),
    currentVersion: z.number().int().optional(),
    state: z.enum(fileStates),
    view: z.enum(documentViews),
    pages: z.number().int().optional(),
    /** Number of blocks of the reading view. */
    blocks: z.number().int(),
    /** Its sheets, slides or chapters, and the block that each starts with. */
    parts: z.array(z.object({ name: z.string(), block: z.number().int() })),
    /** What is cited, or stands at `at`. */
    citation: z
      .object({
        quote: z.string(),
        /** Offsets into the extracted text, end exclusive. */
        start: z.number().int(),
        end: z.number().int(),
        page: z.number().int().optional(),
        /** The text just before and after the quote: tells apart a quote that stands twice on a page. */
        before: z.string(),
        after: z.string(),
        /** The block of the reading view in which the quote starts. */
        block: z.number().int(),
        /** Where its blocks stand on their pages, where that is known: what a picture of the page is marked by. */
        boxes: z.array(placedBox),
      })
      .optional(),
  }),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});

export const blockKinds = ['heading', 'paragraph', 'item', 'row', 'code'] as const;

const block = z.object({
  index: z.number().int(),
  kind: z.enum(blockKinds),
  /** Of a heading: 1 to 6. */
  level: z.number().int().optional(),
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  page: z.number().int().optional(),
  /** Of a table row: the cells, and whether they are the table's header. */
  cells: z.array(z.string()).optional(),
  header: z.boolean().optional(),
  /** It is the head or foot of its page, which other pages have, too. */
  running: z.boolean().optional(),
  /** The sheet, slide or chapter that starts with this block. */
  part: z.string().optional(),
});

export const getReadingView = defineCall({
  summary: 'A run of blocks of the extracted text.',
  input: z
    .object({
      documentId: z.uuid(),
      version: z.number().int().positive(),
      from: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(1000),
    })
    .strict(),
  output: z.object({
    blocks: z.array(block),
    /** Of the table that the first rows continue. */
    header: block.optional(),
  }),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});
