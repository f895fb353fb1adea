import { memo } from 'react';
import { formatBytes } from '#web/lib/format.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Uploads.module.css';
import { removeFile, type UploadItem } from './uploads.ts';

/** The chosen files: what happens to each, and how far it has got. */
export function UploadList({ items, running }: { items: readonly UploadItem[]; running: boolean }) {
  if (items.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Selected files">
      {items.map((item) => (
        <Item key={item.id} item={item} running={running} />
      ))}
    </ul>
  );
}

/** Drawn again only when its own file has got on: there may be thousands. */
const Item = memo(({ item, running }: { item: UploadItem; running: boolean }) => (
  <li className={styles.item}>
    <div className={styles.line}>
      <FileName name={item.name} />
      <span className={styles.size}>{statusOf(item)}</span>
      {item.state !== 'done' && item.state !== 'failed' && (
        <IconButton label={`${running ? 'Cancel' : 'Remove'} ${item.name}`} onClick={() => removeFile(item.id)}>
          <CloseIcon />
        </IconButton>
      )}
    </div>
    <Progress label={`Upload of ${item.name}`} done={item.sent} total={item.file.size} />
    {item.reason && <p className={styles.reason}>{item.reason}</p>}
  </li>
));

function statusOf({ state, sent, file, choice, unchanged }: UploadItem): string {
  const percent = `${Math.floor((sent / Math.max(1, file.size)) * 100)} %`;
  if (state === 'sending') return percent;
  if (state === 'done') return unchanged ? 'Already there' : 'Uploaded';
  if (state === 'failed') return 'Failed';
  const facts = [
    formatBytes(file.size),
    sent > 0 ? `goes on at ${percent}` : choice === 'replace' ? 'replaces' : choice === 'keep-both' && 'kept beside',
  ];
  return facts.filter(Boolean).join(' · ');
}
