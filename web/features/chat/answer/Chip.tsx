import { useRef } from 'react';
import { placeOf, type Source } from '#web/features/chat/conversation/message.ts';
import { SourceLink } from '#web/features/chat/sources/SourceLink.tsx';
import { useSources } from '#web/features/chat/sources/use-sources.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { isSameTarget, targetOf } from '#web/features/viewer/target.ts';

/** The number of a source, which shows its card and opens it. */
export function Chip({ source }: { source: Source }) {
  const { show, shown, opened, cardId, isGone } = useSources();
  const byTouch = useRef(false);
  if (source.url === '' || isGone(source.documentId)) {
    return <span title={chatTexts.sourceGone(source.n)}>{source.n}</span>;
  }
  return (
    <SourceLink
      url={source.url}
      page={source.page}
      aria-label={chatTexts.sourceAt(source.n, placeOf(source))}
      aria-current={isSameTarget(targetOf(source.url, source.page), opened) || undefined}
      aria-describedby={shown?.dataset.source === `${source.n} ${source.url}` ? cardId : undefined}
      data-source={`${source.n} ${source.url}`}
      onPointerDown={({ pointerType }) => {
        byTouch.current = pointerType === 'touch';
      }}
      instead={(link) => {
        // A finger can't hover: its first tap shows the card, which has the way on.
        if (!byTouch.current) return false;
        show({ source, link, tapped: true });
        return true;
      }}
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType === 'mouse') show({ source, link: currentTarget });
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') show(null);
      }}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) show({ source, link: currentTarget });
      }}
      onBlur={() => {
        if (!byTouch.current) show(null);
      }}
      onKeyDown={() => {
        byTouch.current = false;
      }}
    >
      {source.n}
    </SourceLink>
  );
}
