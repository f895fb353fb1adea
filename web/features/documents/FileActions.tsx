import type { CompanyFile } from '#web/api/company-files.ts';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
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
    <RowActions>
      {isRetryable(file) && (
        <RowAction label={`Retry ${file.name}`} onClick={() => void retryFile(file)}>
          Retry
        </RowAction>
      )}
      {file.state === 'uploading' ? (
        <RowAction label={`Cancel the upload of ${file.name}`} onClick={() => void cancelFile(file)}>
          Cancel
        </RowAction>
      ) : (
        <>
          {onReplace && (
            <RowAction label={`Replace ${file.name}`} onClick={() => onReplace(file)}>
              Replace
            </RowAction>
          )}
          <RowAction danger label={`Delete ${file.name}`} onClick={() => onDelete(file)}>
            Delete
          </RowAction>
        </>
      )}
    </RowActions>
  );
}
