import { messages } from '#contract/messages.ts';
import styles from './Loading.module.css';
import { SlowNotice } from './SlowNotice.tsx';

/** The whole page while something of it is still on its way; read aloud. */
export function Loading() {
  return (
    <div className={styles.page}>
      <div>
        <p className={styles.text} role="status">
          {messages.common.loading}
        </p>
        <SlowNotice waiting />
      </div>
    </div>
  );
}
