import type { Source } from '#contract/calls/answers.ts';
import { type CitedQuote, shownRowOf } from './answer-text.ts';

/** A checked quote as the contract has it. */
export function sourceOf(quote: CitedQuote): Source {
  const { id, n, documentId, version, name, row, page, text, start, end, box, emphasis, isSupporting } = quote;
  const shownRow = shownRowOf(quote);
  return {
    n,
    title: row?.sheet ? `${withoutExtension(name)} › ${row.sheet}` : withoutExtension(name),
    name,
    ...(row?.sheet && { sheet: row.sheet }),
    url: `/documents/${documentId}/${version}?cite=${id}`,
    documentId,
    version,
    page: page ?? undefined,
    quote: text,
    ...(isSupporting && { supporting: true }),
    ...(emphasis && { emphasis }),
    ...(shownRow && { row: namedBriefly(shownRow) }),
    start,
    end,
    ...(box && { boxes: [{ page: page ?? 1, box: [...box] }] }),
  };
}

/** UTF-16 code units of a column's name: a longer one is a sentence, and says less than the cell below it. */
const maxHeadLength = 60;

/** Without names that are long, or the same for several columns. */
function namedBriefly(row: NonNullable<Source['row']>): NonNullable<Source['row']> {
  const heads = row.cells.map(({ head }) => head);
  const isUseful = (head: string) => head.length <= maxHeadLength && heads.indexOf(head) === heads.lastIndexOf(head);
  return { ...row, cells: row.cells.map(({ head, text }) => ({ head: isUseful(head) ? head : '', text })) };
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '');
}
