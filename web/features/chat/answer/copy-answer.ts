import { type Message, placeOf, type Source } from '#web/features/chat/conversation/message.ts';
import type { Copied } from '#web/lib/clipboard.ts';
import { readAnswer } from './answer-text.ts';
import { escaped, htmlCopy, linked } from './copy-as-html.ts';
import { textCopy } from './copy-as-text.ts';

/**
 * An answer with its sources as footnotes, as plain text and as HTML, to be pasted elsewhere.
 *
 * @param origin in front of the sources' addresses, which lead to the passage for everyone in the company
 */
export function copyOf(
  { text, sources, unsupported = [] }: Pick<Message, 'text' | 'unsupported'> & { sources: readonly Source[] },
  origin: string,
): Copied {
  const answer = readAnswer(text, { unsupported });
  const known = new Map(sources.map((source) => [source.n, source]));
  const addressOf = ({ url }: Source) => (url === '' ? null : new URL(url, origin).href);

  const plainOf = textCopy(answer, known);
  const htmlOf = htmlCopy(answer, known, addressOf);
  const notes = sources
    .filter(({ supporting }) => !supporting)
    .map((source) => ({ ...source, place: placeOf(source), address: addressOf(source) }));
  return {
    text: [
      plainOf(answer.tree),
      ...(notes.length === 0
        ? []
        : [
            notes
              .map(({ n, place, quote, address }) =>
                [`[${n}] ${place}: “${quote}”`, ...(address === null ? [] : [`    ${address}`])].join('\n'),
              )
              .join('\n'),
          ]),
    ].join('\n\n'),
    html: [
      htmlOf(answer.tree),
      ...(notes.length === 0
        ? []
        : [
            '<hr>',
            `<ol>${notes
              .map(
                ({ n, place, quote, address }) =>
                  `<li value="${n}">${linked(place, address)}: <q>${escaped(quote)}</q></li>`,
              )
              .join('')}</ol>`,
          ]),
    ].join(''),
  };
}
