import { z } from 'zod';
import type { Block, Format } from '../document.ts';
import { maxBlockLength } from '../parsers/clean.ts';
import type { ParserLimits, RecognisedPage } from '../parsers/parser.ts';
import { isReasonCode, type ReasonCode } from '../reasons.ts';

/** What a child is asked, as one line of JSON on its standard input. */
export interface Request {
  path: string;
  format: Format;
  /** False: work that takes seconds a page is not begun. */
  mayTakeLong: boolean;
  limits: ParserLimits;
}

/** What a child says, each as one line of JSON on its standard output. */
export type Message =
  | { type: 'ready' }
  | { type: 'block'; block: Block }
  | { type: 'progress'; done: number; total: number }
  | { type: 'unreadable'; page?: number | undefined; why: string }
  /** The next piece of a file inside this one; the first has its name. */
  | { type: 'attachment'; index: number; name?: string | undefined; base64: string }
  /** Would go on with work that takes long, and may not: it is to be started again, with time. */
  | { type: 'slow' }
  /** A page was recognised: kept, so that the document can go on from there in another process. */
  | { type: 'recognised'; page: RecognisedPage }
  | { type: 'failed'; code: ReasonCode; detail?: string | undefined }
  | { type: 'done'; pages?: number | undefined };

const count = z.number().int().min(0).max(10_000_000);
/** A child that was taken over by its input must not hand on what PostgreSQL refuses. */
const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'));

const fraction = z.number().min(0).max(1);

const block = z.strictObject({
  kind: z.enum(['heading', 'paragraph', 'item', 'row', 'code']),
  level: z.number().int().min(1).max(6).exactOptional(),
  text: text.max(maxBlockLength),
  page: count.exactOptional(),
  cells: z.array(text).exactOptional(),
  header: z.boolean().exactOptional(),
  parents: z.array(text).exactOptional(),
  table: z
    .strictObject({
      columns: z.array(text),
      caption: text.exactOptional(),
      unit: text.exactOptional(),
      sheet: text.exactOptional(),
      isMailHead: z.boolean().exactOptional(),
    })
    .exactOptional(),
  running: z.boolean().exactOptional(),
  context: text.exactOptional(),
  lastPage: count.exactOptional(),
  part: text.exactOptional(),
  box: z.tuple([fraction, fraction, fraction, fraction]).exactOptional(),
});

/** Also as it was written down. */
export const recognisedPage = z.strictObject({
  number: count,
  asDrawn: z.boolean(),
  found: z.strictObject({ blocks: z.array(block), why: text.max(1000).optional(), pages: count }),
  languages: text.max(1000),
  angle: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  spentMs: z.number().min(0).max(100_000_000),
});

const message: z.ZodType<Message> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('block'), block }),
  z.strictObject({ type: z.literal('progress'), done: count, total: count }),
  z.strictObject({ type: z.literal('unreadable'), page: count.optional(), why: text.max(1000) }),
  z.strictObject({
    type: z.literal('attachment'),
    index: z.number().int().min(0).max(1000),
    name: text.max(1000).optional(),
    base64: z.string(),
  }),
  z.strictObject({ type: z.literal('slow') }),
  z.strictObject({ type: z.literal('recognised'), page: recognisedPage }),
  z.strictObject({ type: z.literal('failed'), code: z.custom<ReasonCode>(isReasonCode), detail: text.optional() }),
  z.strictObject({ type: z.literal('done'), pages: count.optional() }),
]);

/** @returns null for a line that is none of ours: native code may write to standard output, too */
export function readMessage(line: string): Message | null {
  if (!line.startsWith('{"type":')) return null;
  try {
    return message.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
