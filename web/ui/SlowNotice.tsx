import { useEffect, useState } from 'react';
import { Notice } from './Notice.tsx';
import styles from './SlowNotice.module.css';

/** Milliseconds of waiting after which a person is told; trying goes on for up to two minutes. */
const slowMs = 10_000;

/**
 * Says, where something has been awaited for 10 s, that it is the server which is slow, and that nothing need be done.
 */
export function SlowNotice({ waiting }: { waiting: boolean }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  if (!slow) return null;
  return (
    <div className={styles.slow}>
      <Notice kind="info">The server is slow to answer. Still trying: there is nothing that you need to do.</Notice>
    </div>
  );
}
