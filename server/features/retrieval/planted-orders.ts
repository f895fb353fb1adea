import { findPlanted } from '#server/features/ingestion/planted/planted.ts';
import type { RetrievedPassage } from './retrieval.ts';

/** What a passage is, whatever else is known of it. */
interface Quotable {
  passage: RetrievedPassage;
  /** Sentences, items and rows of it, by where they stand in the document. */
  units?: { start: number; end: number }[];
}

/** What stands in place of a file's name that gives orders. */
const unnamed = 'a document';

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
    const [headings, [first]] = [await withoutOrders(passage.headingPath), await findPlanted(lines)];
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
  const found = await findPlanted([name, name.replaceAll(/[._-]+/g, ' ')]);
  return found.length === 0 ? name : unnamed;
}

async function withoutOrders(headings: readonly string[]): Promise<string[]> {
  const found = await findPlanted(headings);
  return headings.filter((_, i) => !found.some(({ first, last }) => first <= i && i <= last));
}
