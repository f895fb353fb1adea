import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { discardInterrupted, type Interrupted } from '#web/api/uploads.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Uploads.module.css';
import { resumeUploads } from './uploads.ts';
import { words } from './words.ts';

/**
 * Uploads that were cut off: a browser keeps no file over a reload, so each is chosen again, and goes on where it
 * stopped.
 */
export function InterruptedUploads({ uploads, owner }: { uploads: readonly Interrupted[]; owner: string }) {
  const discard = useMutation({
    ...discardInterrupted,
    onError: (error, { name }) => showAlert('problem', messageOf(error, words.cancelFailed), <bdi>{name}</bdi>),
  });
  const input = useRef<HTMLInputElement>(null);
  const [others, setOthers] = useState<readonly string[]>([]);
  const resume = (files: readonly File[]) => setOthers(resumeUploads(files, owner).map(({ name }) => name));
  return (
    <div className={styles.interrupted}>
      <div className={styles.trayHead}>
        <strong>{words.unfinished(uploads.length)}</strong>
      </div>
      <p className={styles.explained}>{words.chooseAgain(uploads.length)}</p>
      <ul>
        {uploads.map((upload) => (
          <li key={upload.key}>
            <div className={styles.line}>
              <FileName name={upload.name} />
              <span className={styles.size}>
                {words.percent(Math.floor((upload.sent / Math.max(1, upload.size)) * 100))}
              </span>
              <IconButton label={words.giveUp(upload.name)} onClick={() => discard.mutate(upload)}>
                <CloseIcon />
              </IconButton>
            </div>
            <Progress label={words.uploadOf(upload.name)} done={upload.sent} total={upload.size} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className={styles.reason} role="alert">
          {words.notTheSame}
          <bdi>{others.join(', ')}</bdi>
        </p>
      )}
      <div className={styles.trayActions}>
        <button type="button" onClick={() => input.current?.click()}>
          {words.chooseThe(uploads.length)}
        </button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.filesToGoOn}
        onChange={({ target }) => {
          resume(Array.from(target.files ?? []));
          target.value = '';
        }}
      />
    </div>
  );
}
