import type { CompanyFile } from '#web/api/company-files.ts';
import styles from './Library.module.css';

/** A file's tags. */
export function Tags({ file }: { file: CompanyFile }) {
  if (!file.tags || file.tags.length === 0) return <span className={styles.who}>–</span>;
  return (
    <ul className={styles.tags}>
      {file.tags.map((tag) => (
        <li key={tag}>
          <bdi>{tag}</bdi>
        </li>
      ))}
    </ul>
  );
}
