import type { Source } from '#contract/calls/answers.ts';
import type { CitedQuote } from './write.ts';

/** A checked quote as the contract has it. */
export function sourceOf({ id, n, documentId, version, name, page, text, start, end, box }: CitedQuote): Source {
  return {
    n,
    title: withoutExtension(name),
    name,
    url: `/documents/${documentId}/${version}?cite=${id}`,
    documentId,
    version,
    page: page ?? undefined,
    quote: text,
    start,
    end,
    ...(box && { boxes: [{ page: page ?? 1, box: [...box] }] }),
  };
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '');
}
