import { emphasisOf } from './emphasis.ts';
import type { Source } from './message.ts';

/** The words of a quote, the short answer in them set off. */
export function QuoteWords({ source }: { source: Pick<Source, 'quote' | 'emphasis'> }) {
  const parts = emphasisOf(source);
  if (!parts) return source.quote;
  const [before, answer, after] = parts;
  return (
    <>
      {before}
      <strong>{answer}</strong>
      {after}
    </>
  );
}
