import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/api/call.ts';
import { type CompanyFile, dropFile, reloadFiles, retryFile } from '#web/api/company-files.ts';
import { cancelUpload } from '#web/api/uploads.ts';
import { stopUpload } from '#web/features/uploads/uploads.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import { isRetryable } from './file-state.ts';
import { words } from './words.ts';

export interface FileActionsProps {
  file: CompanyFile;
  onDelete: (file: CompanyFile) => void;
  /** Given where a file can be replaced by another one of any name. */
  onReplace?: (file: CompanyFile) => void;
  /** Hidden until the row is pointed at, or the focus is in it; what a file waits for is not. */
  quiet?: boolean;
}

/** What an admin may do to a file. */
export function FileActions({ file, onDelete, onReplace, quiet = false }: FileActionsProps) {
  const retry = useMutation({
    ...retryFile,
    onError: (error) => showAlert('problem', messageOf(error, words.retryFailed), <bdi>{file.name}</bdi>),
  });
  // Another person's or tab's, or one that its sender has left.
  const cancel = useMutation({
    ...cancelUpload,
    onSuccess: () => dropFile(file.id),
    onError: (error) => {
      showAlert('problem', messageOf(error, words.cancelFailed), <bdi>{file.name}</bdi>);
      void reloadFiles();
    },
  });
  return (
    <RowActions quiet={quiet && !isRetryable(file) && file.state !== 'uploading'}>
      {isRetryable(file) && (
        <RowAction label={words.named(words.retry, file.name)} onClick={() => retry.mutate(file)}>
          {words.retry}
        </RowAction>
      )}
      {file.state === 'uploading' ? (
        <RowAction
          label={words.cancelUploadOf(file.name)}
          onClick={() => stopUpload(file.id) || cancel.mutate(file.id)}
        >
          {words.cancel}
        </RowAction>
      ) : (
        <>
          {onReplace && (
            <RowAction label={words.named(words.replace, file.name)} onClick={() => onReplace(file)}>
              {words.replace}
            </RowAction>
          )}
          <RowAction danger label={words.named(words.delete, file.name)} onClick={() => onDelete(file)}>
            {words.delete}
          </RowAction>
        </>
      )}
    </RowActions>
  );
}
