import { followAgain, useIsStill } from '#web/api/company-files.ts';
import styles from './StillNotice.module.css';

/** Says beside a list of documents that it no longer follows what happens, and offers to go on. */
export function StillNotice() {
  const isStill = useIsStill();
  if (!isStill) return null;
  return (
    <p className={styles.still} role="status">
      This list is open in too many places, so it does not change here any more.{' '}
      <button type="button" onClick={followAgain}>
        Follow it here
      </button>
    </p>
  );
}
