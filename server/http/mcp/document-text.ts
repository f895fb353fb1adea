import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { MakeCall } from './make-call.ts';

/** What of a document may be handed to a language model. */
export interface Readable {
  /** Texts that give orders to one, by their places in the list. */
  findPlanted: (texts: readonly string[]) => Promise<{ first: number; last: number }[]>;
  /** A file's name as one may read it. */
  nameToRead: (name: string) => Promise<string>;
}

/** Where to read, as the document page's address says it. */
export interface Place {
  documentId: string;
  /** Absent: the version that answers. */
  version?: number | undefined;
  cite?: string | undefined;
  at?: string | undefined;
  /** The first block, where nothing else says it. */
  from?: number | undefined;
}

export interface DocumentText {
  documentId: string;
  version: number;
  name: string;
  text: string;
  /** The block with which the text goes on, where it does. */
  next: number | null;
  /** Something was left out, since it gives orders to language models. */
  isCut: boolean;
}

type Block = CallOutput<'getReadingView'>['blocks'][number];

/** Of a text that is read at once, in UTF-16 code units: what is longer fills the window of many a model. */
const maxTextLength = 40_000;
const blocksAtOnce = 250;
/** An order goes on behind the sentence that shows what it is, to the next heading, or for as long as a passage is. */
const orderReaches = 1500;

const address = /^(?:.*\/documents\/)?([0-9a-f-]{36})(?:\/([1-9]\d{0,8}))?(?:\?(.*))?$/i;

/** Reads the id of a search's result, or the address of a document page. @throws AppError `file-not-found` */
export function placeOf(id: string): Place {
  const [, documentId, version, search = ''] = address.exec(id.trim()) ?? [];
  if (documentId === undefined) throw new AppError('file-not-found');
  const asked = new URLSearchParams(search);
  const from = /^\d{1,7}$/.exec(asked.get('from') ?? '')?.[0];
  return {
    documentId: documentId.toLowerCase(),
    version: version === undefined ? undefined : Number(version),
    cite: asked.get('cite') ?? undefined,
    at: asked.get('at') ?? undefined,
    from: from === undefined ? undefined : Number(from),
  };
}

/** The id by which a place can be fetched, and what the page's address ends with. */
export function idOf({ documentId, version, from }: { documentId: string; version: number; from?: number }): string {
  return `${documentId}/${version}${from === undefined ? '' : `?from=${from}`}`;
}

/** The text of a document from a place on, as far as it is read at once. @throws AppError */
export async function readText(call: MakeCall, place: Place, readable: Readable): Promise<DocumentText> {
  const { documentId, cite, at } = place;
  const version = place.version ?? (await currentVersion(call, documentId));
  const where = cite === undefined ? at && { at } : { cite };
  const document = await call('getDocument', { documentId, version, ...where });
  const first = document.citation?.block ?? place.from ?? 0;
  const blocks: Block[] = [];
  let length = 0;
  let next: number | null = null;
  reading: for (let from = first; from < document.blocks; from += blocksAtOnce) {
    const run = await call('getReadingView', { documentId, version, from, limit: blocksAtOnce });
    for (const block of run.blocks) {
      if (length > 0 && length + block.text.length > maxTextLength) {
        next = block.index;
        break reading;
      }
      length += block.text.length;
      blocks.push(block);
    }
  }
  const shown = blocks.filter(({ running }) => !running);
  const kept = await withoutOrders(shown, readable);
  const isCut = kept.length < shown.length;
  const name = await readable.nameToRead(document.name);
  const text = kept.map(written).join('\n');
  return { documentId, version, name, text, next, isCut };
}

/** Every document has a first version, which says what its current one is. */
async function currentVersion(call: MakeCall, documentId: string): Promise<number> {
  const { currentVersion: version } = await call('getDocument', { documentId, version: 1 });
  if (version === undefined) throw new AppError('file-not-found');
  return version;
}

async function withoutOrders(blocks: readonly Block[], { findPlanted }: Readable): Promise<Block[]> {
  const orders = await findPlanted(blocks.map(({ text }) => text));
  const left = new Set<number>();
  for (const { first, last } of orders) {
    const from = blocks[first]?.start ?? 0;
    for (let i = first; i < blocks.length; i += 1) {
      const block = blocks[i];
      const isOver = i > last && (block?.kind === 'heading' || (block?.start ?? 0) > from + orderReaches);
      if (isOver) break;
      left.add(i);
    }
  }
  return blocks.filter((_, i) => !left.has(i));
}

function written({ kind, level = 1, text, cells, part }: Block): string {
  const above = part === undefined ? '' : `\n# ${part}\n`;
  if (kind === 'heading') return `${above}\n${'#'.repeat(level)} ${text}`;
  if (kind === 'item') return `${above}- ${text}`;
  if (kind === 'row' && cells) return `${above}${cells.join(' | ')}`;
  return `${above}${text}`;
}
