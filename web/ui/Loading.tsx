import { messages } from '#contract/messages.ts';
import styles from './Loading.module.css';
import { Skeleton } from './Skeleton.tsx';
import { SlowNotice } from './SlowNotice.tsx';

/** The whole page while it is not known whose it is, in the words of the specification; read aloud. */
export function Loading() {
  return (
    <main className={styles.page} data-waits>
      <div>
        <p className={styles.text} role="status">
          {messages.common.loading}
        </p>
        <SlowNotice waiting />
      </div>
    </main>
  );
}

/** What is on its way below what is there already, which may be as high as the window. */
export function LoadingPart({ shape = 'form' }: { shape?: 'lines' | 'form' | 'page' }) {
  return (
    <div className={styles.part} data-waits>
      <Skeleton label={messages.common.loading} shape={shape} lines={shape === 'form' ? 6 : 8} />
      <SlowNotice waiting />
    </div>
  );
}
