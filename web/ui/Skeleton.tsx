import styles from './Skeleton.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export interface SkeletonProps {
  /** What is on its way, for those who hear the page. */
  label: string;
  /** What comes: lines of text, a form of labels and fields, a page below its heading, or a document. */
  shape?: 'lines' | 'form' | 'page' | 'sheet';
  /** How many bars stand for it. */
  lines?: number;
}

/**
 * Stands where something is on its way, in the shape of what comes. Ours and not Mantine's, since the signed-out pages
 * and the first drawing of a chat have it, too.
 */
export function Skeleton({ label, shape = 'lines', lines = 4 }: SkeletonProps) {
  return (
    <>
      {/* Outside of what is busy: in there nothing is read aloud. */}
      <VisuallyHidden as="div" role="status">
        {label}
      </VisuallyHidden>
      <div className={styles.waiting} data-shape={shape} aria-busy="true">
        <Bars shape={shape} lines={lines} />
      </div>
    </>
  );
}

function Bars({ shape, lines }: Required<Pick<SkeletonProps, 'shape' | 'lines'>>) {
  return Array.from({ length: lines }, (_, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <Bar key={nth} width={widthOf(shape, nth)} />
  ));
}

/** One of them by itself: a cell of a table. */
export function Bar({ width }: { width: string }) {
  return <span className={styles.bar} style={{ width }} />;
}

/** Of lengths as text has them. */
function widthOf(shape: SkeletonProps['shape'], nth: number): string {
  if (shape === 'form') return nth % 2 === 0 ? '30%' : '100%';
  if (shape === 'page' && nth === 0) return '40%';
  return lengths[nth % lengths.length] ?? '100%';
}

const lengths = ['62%', '88%', '74%', '46%', '81%'];
