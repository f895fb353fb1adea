import styles from './Uploads.module.css';
import type { Ended } from './uploads.ts';
import { words } from './words.ts';

/** So many of the reasons, and of the names with each, are told: the list of uploads has all. */
const told = 2;

/** Why files were not uploaded, each reason once. */
export function Failures({ failures }: { failures: Ended['failures'] }) {
  const byReason = [...Map.groupBy(failures, ({ reason }) => reason)];
  const others = byReason.slice(told).reduce((count, [, files]) => count + files.length, 0);
  return (
    <>
      {byReason.slice(0, told).map(([reason, files]) => (
        <div key={reason} className={styles.failure}>
          {files.slice(0, told).map(({ id, name }, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
          {files.length > told && words.andMore(files.length - told)}: {reason}
        </div>
      ))}
      {others > 0 && <div className={styles.failure}>{words.others(others)}</div>}
    </>
  );
}
