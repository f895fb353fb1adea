import { splitFileName } from '#web/lib/file-name.ts';
import styles from './FileName.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/**
 * A file's name on one line, shortened in its middle so that the extension always shows. Each part is isolated: marks
 * that turn the direction of writing can neither move the extension nor reach the text around the name.
 */
export function FileName({ name }: { name: string }) {
  const { head, tail } = splitFileName(name);
  return (
    <span className={styles.name} title={name} dir="ltr">
      {/* In one piece for those who hear it: the two parts would be read as two words. */}
      {tail && <VisuallyHidden as="bdi">{name}</VisuallyHidden>}
      <bdi className={styles.head} aria-hidden={tail ? true : undefined}>
        {head}
      </bdi>
      {tail && (
        <bdi className={styles.tail} aria-hidden="true">
          {tail}
        </bdi>
      )}
    </span>
  );
}
