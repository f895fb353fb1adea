import { type Storage, useStorage } from '#web/api/storage.ts';
import { formatBytes } from '#web/lib/format.ts';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './StorageUse.module.css';
import { words } from './words.ts';

/** Of 1. From here on the meter is marked. */
const nearlyFull = 0.9;

/** How much of the company's room is used, as a quiet line, which is empty until it is known. */
export function StorageMeter() {
  const { data } = useStorage();
  // Out of sight until it is known, as large as it will be.
  return <Meter {...(data ?? { usedBytes: 1e8, allowedBytes: 5e10 })} known={data !== undefined} />;
}

function Meter({ usedBytes, allowedBytes, known }: Pick<Storage, 'usedBytes' | 'allowedBytes'> & { known: boolean }) {
  const share = usedBytes / allowedBytes;
  return (
    <div className={styles.storage} data-full={share >= nearlyFull || undefined} data-unknown={!known || undefined}>
      <span>
        {words.used(formatBytes(usedBytes), formatBytes(allowedBytes))}
        {share >= 1 && words.storageFull}
      </span>
      <span className={styles.meter} aria-hidden="true">
        <span style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
    </div>
  );
}

/** Said to admins while nobody can upload. */
export function DiskNotice() {
  const { data } = useStorage();
  if (!data?.diskIsLow) return null;
  return (
    <Notice kind="problem" title={words.diskLowTitle}>
      {words.diskLow}
    </Notice>
  );
}
