import type { Source } from '#web/features/chat/conversation/message.ts';
import { emphasisOf } from './emphasis.ts';

/** The words of a quote, the short answer in them set off; the cells of a row are set apart as in the answer. */
export function QuoteWords({ source }: { source: Pick<Source, 'quote' | 'emphasis'> }) {
  const parts = emphasisOf(source);
  if (!parts) return withoutEdges(spaced(source.quote));
  const [before, answer, after] = parts;
  return (
    <>
      {spaced(before).replace(leadingBar, '')}
      <strong>{withoutEdges(spaced(answer))}</strong>
      {spaced(after).replace(trailingBar, '')}
    </>
  );
}

const leadingBar = /^\| /;
const trailingBar = / · $/;

/** The bars between the cells of a row are those of its text here, and stand in no document. */
export function spaced(text: string): string {
  return text.replace(/(?: \|)+(?: |$)/g, ' · ');
}

function withoutEdges(text: string): string {
  return text.replace(leadingBar, '').replace(trailingBar, '');
}
