import { LRUCache } from 'lru-cache';
import { findPlanted, type Planted } from '#server/features/ingestion/planted/planted.ts';
import type { RetrievedPassage } from './retrieval.ts';

/** What a passage is, whatever else is known of it. */
interface Quotable {
  passage: RetrievedPassage;
  /** Sentences, items and rows of it, by where they stand in the document. */
  units?: { start: number; end: number }[];
}

/** What stands in place of a file's name that gives orders. */
const unnamed = 'a document';

/** Bytes, by a rough count. */
const maxKnown = 8 * 1024 * 1024;
const bytesOfEach = 150;
/** What was found in the passages that are read again and again, by their texts: nearly always nothing. */
const known = new LRUCache<string, readonly Planted[]>({
  maxSize: maxKnown,
  sizeCalculation: (found, key) => bytesOfEach * (1 + found.length) + 2 * key.length,
});

/**
 * The passages without what gives orders to a language model: from there on nothing of a passage is given to one,
 * quoted, found by a search or shown, since an order goes on behind the sentence that shows what it is. One that begins
 * so is left out.
 */
export async function withoutPlanted<P extends Quotable>(passages: readonly P[]): Promise<P[]> {
  const safe: P[] = [];
  for (const each of passages) {
    const { passage, units } = each;
    const lines = passage.text.split('\n');
    const [headings, [first]] = [await withoutOrders(passage.headingPath), await ordersIn(lines)];
    const length = lines
      .slice(0, first?.first ?? lines.length)
      .join('\n')
      .trimEnd().length;
    if (length === 0) continue;
    if (!first && headings.length === passage.headingPath.length) {
      safe.push(each);
      continue;
    }
    const end = first ? passage.start + length : passage.end;
    safe.push({
      ...each,
      passage: { ...passage, headingPath: headings, text: passage.text.slice(0, length), end },
      ...(units && { units: units.filter((unit) => unit.end <= end) }),
    });
  }
  return safe;
}

/** A file's name as a language model may read it. */
export async function nameToRead(name: string): Promise<string> {
  // Its words are often joined by other signs than blanks.
  const found = await ordersIn([name, name.replaceAll(/[._-]+/g, ' ')]);
  return found.length === 0 ? name : unnamed;
}

async function withoutOrders(headings: readonly string[]): Promise<string[]> {
  const found = await ordersIn(headings);
  return headings.filter((_, i) => !found.some(({ first, last }) => first <= i && i <= last));
}

async function ordersIn(texts: readonly string[]): Promise<readonly Planted[]> {
  // No text that was read has this sign: PostgreSQL keeps none.
  const key = texts.join('\0');
  const before = known.get(key);
  if (before) return before;
  const found = await findPlanted(texts);
  known.set(key, found);
  return found;
}
