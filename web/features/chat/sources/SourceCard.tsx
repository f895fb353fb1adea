import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useGoneDocuments } from '#web/api/gone-documents.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import type { Target } from '#web/features/viewer/target.ts';
import { placeLabel } from '#web/lib/place.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { Popover, type PopoverProps } from '#web/ui/Popover.tsx';
import { QuotedRow } from './QuotedRow.tsx';
import { QuoteWords } from './QuoteWords.tsx';
import styles from './SourceCard.module.css';
import { SourceLink } from './SourceLink.tsx';
import { type SourceActions, type SourceCard, SourceContext } from './use-sources.ts';

/** The time to get from a link to its card with the mouse, in milliseconds. */
const grace = 150;

interface SourceScopeProps {
  open: (target: Target) => void;
  /** What is open now. */
  opened?: Target | null;
  /** The documents of all sources that are linked inside. */
  documentIds: readonly string[];
  children: ReactNode;
}

/** Where sources are linked: shows the card of the one that is pointed at, and opens the one that is chosen. */
export function SourceScope({ open, opened = null, documentIds, children }: SourceScopeProps) {
  const [card, setCard] = useState<SourceCard | null>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cardId = useId();
  const gone = useGoneDocuments(documentIds);

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
      opened,
      isGone: (documentId) => gone.has(documentId),
    }),
    [open, opened, cardId, card, gone],
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
          onClose={() => setCard(null)}
        />
      )}
    </SourceContext>
  );
}

type CardViewProps = SourceCard & Pick<PopoverProps, 'id' | 'onEnter' | 'onLeave' | 'onClose'>;

function CardView({ source, link, tapped = false, ...rest }: CardViewProps) {
  // Where the title is the file's name alone, once is enough.
  const ownTitle = source.title !== '' && !source.name.startsWith(source.title);
  return (
    <Popover anchor={link} label={tapped ? chatTexts.source(source.n) : undefined} {...rest}>
      <p className={styles.title}>
        <span className={styles.number}>{source.n}</span>
        {ownTitle ? <bdi>{source.title}</bdi> : <FileName name={source.name} />}
      </p>
      {source.row ? (
        <div className={styles.row}>
          <QuotedRow row={source.row} />
        </div>
      ) : (
        <q className={styles.quote}>
          <QuoteWords source={source} />
        </q>
      )}
      <div className={styles.place}>
        {ownTitle && <FileName name={source.name} />}
        {source.page !== undefined && <span className={styles.page}>{placeLabel(source.name, source.page)}</span>}
        {tapped && (
          <SourceLink url={source.url} page={source.page} className={styles.open}>
            {chatTexts.openDocument}
          </SourceLink>
        )}
      </div>
    </Popover>
  );
}
