import { createContext, useContext } from 'react';
import type { Source } from '#web/features/chat/conversation/message.ts';
import type { Target } from '#web/features/viewer/target.ts';

/** A source shown beside the link that was pointed at. */
export interface SourceCard {
  source: Source;
  link: HTMLElement;
  /** By a finger: the card stays until something else is touched, and leads on. */
  tapped?: boolean;
}

export interface SourceActions {
  /** Opens a place beside the conversation. */
  open: (target: Target) => void;
  /** Null hides the card that is shown. */
  show: (card: SourceCard | null) => void;
  /** The link whose card is shown describes itself by it. */
  cardId: string;
  shown: HTMLElement | null;
  /** What is open beside the conversation. */
  opened: Target | null;
  /** The document was deleted after it was quoted. */
  isGone: (documentId: string) => boolean;
}

export const SourceContext = createContext<SourceActions | null>(null);

export function useSources(): SourceActions {
  const actions = useContext(SourceContext);
  if (!actions) throw new Error('Sources are shown inside of a conversation only.');
  return actions;
}
