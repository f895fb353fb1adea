import { useEffect } from 'react';
import { messages } from '#contract/messages.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Uploads.module.css';
import { acknowledgeEnd, cancelUploads, openUploads, useUploads } from './uploads.ts';

/** Uploads that go on while their window is closed, and the word when they have ended, whichever page is open. */
export function UploadTray({ onShow }: { onShow: () => void }) {
  const { items, open, running, ended } = useUploads();
  useEffect(() => {
    if (!ended) return;
    acknowledgeEnd();
    if (ended.ok) showAlert('done', messages.documents.uploaded);
    else {
      const reasons = ended.failures.map(({ name, reason }) => (
        <div key={name} className={styles.failure}>
          <bdi>{name}</bdi>: {reason}
        </div>
      ));
      showAlert('problem', messages.documents.uploadFailed, reasons);
    }
  }, [ended]);

  if (!running || open) return null;
  const show = () => {
    openUploads();
    onShow();
  };
  const left = items.filter(({ state }) => state === 'sending' || state === 'waiting');
  return (
    <section className={styles.tray} aria-label="Uploads">
      <div className={styles.trayHead}>
        <strong>{messages.documents.uploading}</strong>
        <span className={styles.size}>
          {items.length - left.length} of {items.length}
        </span>
      </div>
      <ul>
        {left.slice(0, 3).map((item) => (
          <li key={item.id}>
            <FileName name={item.name} />
            <Progress label={`Upload of ${item.name}`} done={item.sent} total={item.file.size} />
          </li>
        ))}
      </ul>
      <div className={styles.trayActions}>
        <button type="button" onClick={show}>
          Show
        </button>
        <button type="button" onClick={cancelUploads}>
          {messages.documents.cancel}
        </button>
      </div>
    </section>
  );
}
