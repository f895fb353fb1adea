import { formatBytes } from '#web/lib/format.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import type { Choice, PlannedName } from './names.ts';
import styles from './Uploads.module.css';
import type { UploadItem } from './uploads.ts';

export interface UploadListProps {
  items: readonly UploadItem[];
  /** The names they will get, in the same order. */
  planned: readonly PlannedName[];
  running: boolean;
  onChoose: (id: number, choice: Choice) => void;
  onRemove: (id: number) => void;
}

/** The chosen files: what each will be called, and how far it has got. */
export function UploadList({ items, planned, running, onChoose, onRemove }: UploadListProps) {
  if (items.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Selected files">
      {items.map((item, index) => (
        <li key={item.id} className={styles.item}>
          <div className={styles.line}>
            <FileName name={running ? item.name : (planned[index]?.name ?? item.name)} />
            <span className={styles.size}>{statusOf(item)}</span>
            {!running && (
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${item.ownName}`}
                onClick={() => onRemove(item.id)}
              >
                ×
              </button>
            )}
          </div>
          {!running && planned[index]?.taken && (
            <TakenName item={item} onChoose={(choice) => onChoose(item.id, choice)} />
          )}
          <Progress label={`Upload of ${item.ownName}`} done={item.sent} total={item.file.size} />
          {item.reason && <p className={styles.reason}>{item.reason}</p>}
        </li>
      ))}
    </ul>
  );
}

function TakenName({ item, onChoose }: { item: UploadItem; onChoose: (choice: Choice) => void }) {
  const option = (choice: Choice, label: string) => (
    <button type="button" aria-pressed={item.choice === choice} onClick={() => onChoose(choice)}>
      {label}
    </button>
  );
  return (
    <fieldset className={styles.taken}>
      <legend>A file of this name is already there.</legend>
      {option('replace', 'Replace')}
      {option('keep-both', 'Keep both')}
    </fieldset>
  );
}

function statusOf({ state, sent, file }: UploadItem): string {
  if (state === 'sending') return `${Math.floor((sent / Math.max(1, file.size)) * 100)} %`;
  if (state === 'done') return 'Uploaded';
  if (state === 'failed') return 'Failed';
  return formatBytes(file.size);
}
