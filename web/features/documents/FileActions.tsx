import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/api/call.ts';
import { type CompanyFile, dropFile, reloadFiles, retryFile } from '#web/api/company-files.ts';
import { cancelUpload } from '#web/features/uploads/cancel-upload.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import { isRetryable } from './file-state.ts';

export interface FileActionsProps {
  file: CompanyFile;
  onDelete: (file: CompanyFile) => void;
  /** Given where a file can be replaced by another one of any name. */
  onReplace?: (file: CompanyFile) => void;
}

/** What an admin may do to a file. */
export function FileActions({ file, onDelete, onReplace }: FileActionsProps) {
  const retry = useMutation({
    ...retryFile,
    onError: (error) =>
      showAlert('problem', messageOf(error, 'The file could not be read again.'), <bdi>{file.name}</bdi>),
  });
  // Anyone's: this tab's own, another person's, or one that its sender has left.
  const cancel = useMutation({
    mutationFn: cancelUpload,
    onSuccess: () => dropFile(file.id),
    onError: (error) => {
      showAlert('problem', messageOf(error, 'The upload could not be cancelled.'), <bdi>{file.name}</bdi>);
      void reloadFiles();
    },
  });
  return (
    <RowActions>
      {isRetryable(file) && (
        <RowAction label={`Retry ${file.name}`} onClick={() => retry.mutate(file)}>
          Retry
        </RowAction>
      )}
      {file.state === 'uploading' ? (
        <RowAction label={`Cancel the upload of ${file.name}`} onClick={() => cancel.mutate(file.id)}>
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
