import type { CallOutput } from '#contract/calls.ts';
import styles from './PageMarks.module.css';
import { viewerTexts as texts } from './texts.ts';

type Citation = NonNullable<CallOutput<'getDocument'>['citation']>;
export type PageBox = Citation['boxes'][number];

/** Marks laid over a picture of a page, where a passage stands. */
export function PageMarks({
  boxes,
  arrive,
}: {
  boxes: readonly PageBox[];
  /** Gets the first of them once it is drawn. */
  arrive: (mark: HTMLElement | null) => void;
}) {
  return boxes.map(({ box: [left, top, right, bottom] }, place) => (
    <mark
      // biome-ignore lint/suspicious/noArrayIndexKey: they keep their order
      key={place}
      ref={place === 0 ? arrive : undefined}
      className={styles.mark}
      role="img"
      aria-label={texts.citedPassage}
      style={{
        left: `${left * 100}%`,
        top: `${top * 100}%`,
        width: `${(right - left) * 100}%`,
        height: `${(bottom - top) * 100}%`,
      }}
    />
  ));
}
