import { messages } from '#contract/messages.ts';
import { useTitle } from '#web/lib/title.ts';
import styles from './Admin.module.css';

/** A page of the admin area whose content is still to come. */
export function ComingPage({ title }: { title: string }) {
  useTitle(title);
  return (
    <>
      <h1 className={styles.heading}>{title}</h1>
      <p className={styles.sub}>{messages.common.comingLater}</p>
    </>
  );
}
