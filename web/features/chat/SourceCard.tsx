import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useCompanyFiles } from '#web/api/company-files.ts';
import type { Target } from '#web/features/viewer/target.ts';
import { placeLabel } from '#web/lib/place.ts';
import { FileName } from '#web/ui/FileName.tsx';
import type { Source } from './message.ts';
import styles from './SourceCard.module.css';
import { type SourceActions, SourceContext } from './use-sources.ts';

interface Card {
  source: Source;
  link: HTMLElement;
}

/** The time to get from a link to its card with the mouse, in milliseconds. */
const grace = 150;

/** Where sources are linked: shows the card of the one that is pointed at, and opens the one that is chosen. */
export function SourceScope({ open, children }: { open: (target: Target) => void; children: ReactNode }) {
  const [card, setCard] = useState<Card | null>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cardId = useId();
  const { files, status } = useCompanyFiles();
  const known = useMemo(() => new Set(files.map(({ id }) => id)), [files]);

  useEffect(() => {
    if (!card) return;
    const hide = () => setCard(null);
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // One Esc closes one thing.
      event.stopPropagation();
      hide();
    };
    window.addEventListener('keydown', onEscape, { capture: true });
    window.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      window.removeEventListener('keydown', onEscape, { capture: true });
      window.removeEventListener('scroll', hide, { capture: true });
    };
  }, [card]);

  const actions = useMemo<SourceActions>(
    () => ({
      open,
      show: (next) => {
        clearTimeout(closing.current);
        if (next) setCard(next);
        else closing.current = setTimeout(() => setCard(null), grace);
      },
      cardId,
      shown: card?.link ?? null,
      isGone: (documentId) => status === 'ready' && !known.has(documentId),
    }),
    [open, cardId, card, status, known],
  );

  return (
    <SourceContext value={actions}>
      {children}
      {card && (
        <CardView
          id={cardId}
          {...card}
          onEnter={() => clearTimeout(closing.current)}
          onLeave={() => actions.show(null)}
        />
      )}
    </SourceContext>
  );
}

const margin = 8;

function CardView({
  id,
  source,
  link,
  onEnter,
  onLeave,
}: Card & { id: string; onEnter: () => void; onLeave: () => void }) {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const at = link.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const above = at.top - height - margin;
    element.style.top = `${above > margin ? above : at.bottom + margin}px`;
    element.style.left = `${Math.max(margin, Math.min(at.left - 24, window.innerWidth - width - margin))}px`;
  }, [link]);

  return (
    <div ref={box} id={id} role="tooltip" className={styles.card} onPointerEnter={onEnter} onPointerLeave={onLeave}>
      <q className={styles.quote}>{source.quote}</q>
      <div className={styles.place}>
        <FileName name={source.name} />
        {source.page !== undefined && <span className={styles.page}>{placeLabel(source.name, source.page)}</span>}
      </div>
    </div>
  );
}
