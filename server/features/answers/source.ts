import type { Source } from '#contract/calls/answers.ts';
import type { CitedQuote } from './answer-text.ts';

/** A checked quote as the contract has it. */
export function sourceOf({
  id,
  n,
  documentId,
  version,
  name,
  row,
  page,
  text,
  start,
  end,
  box,
  emphasis,
  isSupporting,
}: CitedQuote): Source {
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
    start,
    end,
    ...(box && { boxes: [{ page: page ?? 1, box: [...box] }] }),
  };
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '');
}
