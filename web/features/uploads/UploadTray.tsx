import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messages } from '#contract/messages.ts';
import { useSession } from '#web/api/session.ts';
import { interruptedQuery } from '#web/api/uploads.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Failures } from './Failures.tsx';
import { InterruptedUploads } from './InterruptedUploads.tsx';
import { inOrder } from './totals.ts';
import { UploadTotals } from './UploadList.tsx';
import styles from './Uploads.module.css';
import { acknowledgeEnd, cancelUploads, openUploads, useUploads } from './uploads.ts';
import { words } from './words.ts';

/**
 * Uploads that go on while their window is closed, those that a reload has cut off, and the word when they have ended,
 * whichever page is open.
 */
export function UploadTray() {
  const { items, open, running, ended } = useUploads();
  const session = useSession();
  const owner =
    session.state === 'signed-in' && session.session.user.role === 'admin' && session.session.entitlements.upload
      ? session.session.user.uid
      : null;
  const { data: interrupted = [] } = useQuery(interruptedQuery(owner));
  useEffect(() => {
    if (!ended) return;
    acknowledgeEnd();
    if (ended.ok)
      showAlert('done', messages.documents.uploaded, ended.unchanged > 0 && words.unchanged(ended.unchanged));
    // Its window says what failed itself, and would be covered by it.
    else if (!open) showAlert('problem', messages.documents.uploadFailed, <Failures failures={ended.failures} />);
  }, [ended, open]);

  const failed = running ? [] : items.filter(({ state }) => state === 'failed');
  if (open || (!running && failed.length === 0 && interrupted.length === 0)) return null;
  const first = inOrder(items.filter(({ state }) => state === 'sending' || state === 'waiting')).slice(0, 3);
  return (
    <section className={styles.tray} aria-label={words.tray} data-tray data-in-use>
      {running && (
        <>
          <div className={styles.trayHead}>
            <strong>{messages.documents.uploading}</strong>
          </div>
          <UploadTotals items={items} />
          <ul>
            {first.map((item) => (
              <li key={item.id}>
                <FileName name={item.name} />
                <Progress label={words.uploadOf(item.name)} done={item.sent} total={item.file.size} />
              </li>
            ))}
          </ul>
          <div className={styles.trayActions}>
            <button type="button" onClick={openUploads}>
              {words.show}
            </button>
            <button type="button" onClick={cancelUploads}>
              {messages.documents.cancel}
            </button>
          </div>
        </>
      )}
      {failed.length > 0 && (
        <>
          <div className={styles.trayHead}>
            <strong>{words.failedFiles(failed.length)}</strong>
          </div>
          <div className={styles.trayActions}>
            <button type="button" onClick={openUploads}>
              {words.show}
            </button>
            <button type="button" onClick={cancelUploads}>
              {words.dismiss}
            </button>
          </div>
        </>
      )}
      {interrupted.length > 0 && owner !== null && <InterruptedUploads uploads={interrupted} owner={owner} />}
    </section>
  );
}
