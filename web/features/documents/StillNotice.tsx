import { followAgain, useIsStill } from '#web/api/company-files.ts';
import styles from './StillNotice.module.css';
import { words } from './words.ts';

/** Says beside a list of documents that it no longer follows what happens, and offers to go on. */
export function StillNotice() {
  const isStill = useIsStill();
  if (!isStill) return null;
  return (
    <p className={styles.still} role="status">
      {words.still}{' '}
      <button type="button" onClick={followAgain}>
        {words.follow}
      </button>
    </p>
  );
}
