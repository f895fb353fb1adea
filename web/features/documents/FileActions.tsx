import type { CompanyFile } from '#web/api/company-files.ts';
import styles from './Documents.module.css';
import { cancelFile, retryFile } from './file-actions.tsx';
import { isRetryable } from './file-state.ts';

export interface FileActionsProps {
  file: CompanyFile;
  onDelete: (file: CompanyFile) => void;
  /** Given where a file can be replaced by another one of any name. */
  onReplace?: (file: CompanyFile) => void;
}

/** What an admin may do to a file. */
export function FileActions({ file, onDelete, onReplace }: FileActionsProps) {
  return (
    <div className={styles.actions}>
      {isRetryable(file) && (
        <button type="button" aria-label={`Retry ${file.name}`} onClick={() => void retryFile(file)}>
          Retry
        </button>
      )}
      {file.state === 'uploading' ? (
        <button type="button" aria-label={`Cancel the upload of ${file.name}`} onClick={() => void cancelFile(file)}>
          Cancel
        </button>
      ) : (
        <>
          {onReplace && (
            <button type="button" aria-label={`Replace ${file.name}`} onClick={() => onReplace(file)}>
              Replace
            </button>
          )}
          <button
            type="button"
            className={styles.danger}
            aria-label={`Delete ${file.name}`}
            onClick={() => onDelete(file)}
          >
            Delete
          </button>
        </>
      )}
    </div>
  );
}
