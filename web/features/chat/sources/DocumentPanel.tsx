import { Suspense } from 'react';
import { messages } from '#contract/messages.ts';
import type { Message } from '#web/features/chat/conversation/message.ts';
import type { Target } from '#web/features/viewer/target.ts';

import { lazyPart } from '#web/lib/lazy-part.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { SourceSteps } from './SourceSteps.tsx';

const load = () => import('#web/features/viewer/DocumentView.tsx');
const DocumentView = lazyPart(() => load().then(({ DocumentView }) => DocumentView));

/** Loads the viewer before it is asked for. */
export function preloadDocuments(): void {
  // If it fails now it is loaded, and its failure told, when it is needed.
  load().catch(() => {});
}

/** The document that an answer quotes, beside the answer. Loaded when first wanted: most of it is the PDF engine. */
export function DocumentPanel({
  target,
  answers,
  onClose,
}: {
  target: Target;
  /** In which the source that is open may stand beside others. */
  answers: readonly Pick<Message, 'sources'>[];
  onClose: () => void;
}) {
  return (
    <Suspense fallback={<Skeleton label={messages.common.loading} shape="sheet" lines={12} />}>
      <DocumentView target={target} steps={<SourceSteps answers={answers} target={target} />} onClose={onClose} />
    </Suspense>
  );
}
