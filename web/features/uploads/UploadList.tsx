import { memo, useRef } from 'react';
import { formatBytes } from '#web/lib/format.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { useMoves } from '#web/ui/motion.ts';
import { Progress } from '#web/ui/Progress.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import { inOrder, totalsOf } from './totals.ts';
import styles from './Uploads.module.css';
import type { UploadItem } from './upload-item.ts';
import { removeFile, retryUpload } from './uploads.ts';
import { words } from './words.ts';

export interface UploadListProps {
  items: readonly UploadItem[];
  running: boolean;
  /** Id of the person; null: nothing can be sent. */
  owner: string | null;
}

/** The chosen files: what happens to each, and how far it has got. What runs and what failed stands first. */
export function UploadList({ items, running, owner }: UploadListProps) {
  const list = useRef<HTMLUListElement>(null);
  useMoves(list, items);
  if (items.length === 0) return null;
  return (
    <>
      {running && <UploadTotals items={items} />}
      <ul ref={list} className={styles.list} aria-label={words.selected}>
        {inOrder(items).map((item) => (
          <Item key={item.id} item={item} running={running} owner={owner} />
        ))}
      </ul>
    </>
  );
}

/** `18 of 30 · 21 of 34 MB` */
export function UploadTotals({ items }: { items: readonly UploadItem[] }) {
  const { done, failed, bytes } = totalsOf(items);
  return (
    <p className={styles.totals}>
      {words.progress({ done, all: items.length }, bytes)}
      {failed > 0 && <span className={styles.bad}> · {words.failedCount(failed)}</span>}
    </p>
  );
}

interface ItemProps {
  item: UploadItem;
  running: boolean;
  owner: string | null;
}

/** Drawn again only when its own file has got on: there may be thousands. */
const Item = memo(({ item, running, owner }: ItemProps) => (
  <li className={styles.item}>
    <div className={styles.line}>
      <FileName name={item.name} />
      <span className={styles.size}>{statusOf(item)}</span>
      {item.state === 'failed' && !item.isRefused && owner !== null && (
        <TextButton label={words.retryOf(item.name)} onClick={() => retryUpload(item.id, owner)}>
          {words.retry}
        </TextButton>
      )}
      {item.state !== 'done' && (
        <IconButton
          label={running && item.state !== 'failed' ? words.cancel(item.name) : words.remove(item.name)}
          onClick={() => removeFile(item.id)}
        >
          <CloseIcon />
        </IconButton>
      )}
    </div>
    {!item.isRefused && <Progress label={words.uploadOf(item.name)} done={item.sent} total={item.file.size} />}
    {item.reason && <p className={styles.reason}>{item.reason}</p>}
  </li>
));

function statusOf({ state, sent, file, choice, unchanged }: UploadItem): string {
  const percent = words.percent(Math.floor((sent / Math.max(1, file.size)) * 100));
  if (state === 'sending') return percent;
  if (state === 'done') return unchanged ? words.alreadyThere : words.uploaded;
  if (state === 'failed') return words.failed;
  const facts = [
    formatBytes(file.size),
    sent > 0
      ? words.goesOnAt(percent)
      : choice === 'replace'
        ? words.replaces
        : choice === 'keep-both' && words.keptBeside,
  ];
  return facts.filter(Boolean).join(' · ');
}
