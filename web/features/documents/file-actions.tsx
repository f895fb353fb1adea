import { call, messageOf } from '#web/api/call.ts';
import { type CompanyFile, changeFile, dropFile, reloadFiles } from '#web/api/company-files.ts';
import { cancelUpload } from '#web/features/uploads/cancel-upload.ts';
import { showAlert } from '#web/ui/alerts.tsx';

/** Has a failed or partly readable file read once more; shown at once, taken back when the server refuses. */
export async function retryFile(file: CompanyFile): Promise<void> {
  const { reason: _, progress: __, ...rest } = file;
  changeFile({ ...rest, state: 'queued' });
  try {
    await call('retryFile', { documentId: file.id });
  } catch (error) {
    changeFile(file);
    showAlert('problem', messageOf(error, 'The file could not be read again.'), <bdi>{file.name}</bdi>);
  }
}

/** Cancels anyone's upload: this tab's own, another person's, or one that its sender has left. */
export async function cancelFile(file: CompanyFile): Promise<void> {
  try {
    await cancelUpload(file.id);
    dropFile(file.id);
  } catch (error) {
    showAlert('problem', messageOf(error, 'The upload could not be cancelled.'), <bdi>{file.name}</bdi>);
    void reloadFiles();
  }
}
