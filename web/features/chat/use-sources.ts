import { createContext, useContext } from 'react';
import type { Target } from '#web/features/viewer/target.ts';
import { placeLabel } from '#web/lib/place.ts';
import type { Source } from './message.ts';

export interface SourceActions {
  /** Opens a place beside the conversation. */
  open: (target: Target) => void;
  /** Shows the card of a source beside the link that was pointed at; null hides it. */
  show: (card: { source: Source; link: HTMLElement } | null) => void;
  /** The link whose card is shown describes itself by it. */
  cardId: string;
  shown: HTMLElement | null;
  /** The document was deleted after it was quoted. */
  isGone: (documentId: string) => boolean;
}

export const SourceContext = createContext<SourceActions | null>(null);

export function useSources(): SourceActions {
  const actions = useContext(SourceContext);
  if (!actions) throw new Error('Sources are shown inside of a conversation only.');
  return actions;
}

/** `Travel policy.pdf, page 3` */
export function placeOf({ name, page }: Pick<Source, 'name' | 'page'>): string {
  return page === undefined ? name : `${name}, ${placeLabel(name, page)}`;
}
