import { messages } from '#contract/messages.ts';
import styles from './Loading.module.css';
import { SlowNotice } from './SlowNotice.tsx';

/** The whole page while something of it is still on its way; read aloud. `inside`: what stands around it is there. */
export function Loading({ inside = false }: { inside?: boolean }) {
  const Page = inside ? 'div' : 'main';
  return (
    <Page className={styles.page} data-waits>
      <div>
        <p className={styles.text} role="status">
          {messages.common.loading}
        </p>
        <SlowNotice waiting />
      </div>
    </Page>
  );
}
