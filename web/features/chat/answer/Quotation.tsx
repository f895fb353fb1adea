import { type ReactNode, Suspense } from 'react';
import type { Source } from '#web/features/chat/conversation/message.ts';
import { useSources } from '#web/features/chat/sources/use-sources.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import type { PageBox } from '#web/features/viewer/PageMarks.tsx';
import { targetOf } from '#web/features/viewer/target.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import styles from './Quotation.module.css';

const PassagePicture = lazyPart(() =>
  import('#web/features/viewer/PassagePicture.tsx').then(({ PassagePicture }) => PassagePicture),
);

interface QuotationProps {
  source: Source | undefined;
  /** What is marked on the picture of its page; none: it has no picture. */
  places: readonly PageBox[] | undefined;
  children: ReactNode;
}

/** Words of a document; where it is unsure what they say, with a picture of them as they stand on their page. */
export function Quotation({ source, places, children }: QuotationProps) {
  const { isGone } = useSources();
  const place = source && !isGone(source.documentId) && places?.[0];
  const target = source && targetOf(source.url);
  return (
    <blockquote>
      {children}
      {place && places && target && (
        <div
          className={styles.place}
          role="img"
          aria-label={chatTexts.passageOn(place.page, source.name)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: narrow, it scrolls, so the keyboard must reach it
          tabIndex={0}
        >
          <div className={styles.picture}>
            <Suspense>
              <PassagePicture target={target} places={places} />
            </Suspense>
          </div>
        </div>
      )}
    </blockquote>
  );
}
