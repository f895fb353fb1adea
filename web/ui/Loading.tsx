import { messages } from '#contract/messages.ts';
import styles from './Loading.module.css';

/** The whole page while something of it is still on its way; read aloud. */
export function Loading({ text = messages.common.loading }: { text?: string }) {
  return (
    <div className={styles.page} role="status">
      {text}
    </div>
  );
}
