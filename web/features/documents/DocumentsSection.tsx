import { useDeferredValue, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { call, messageOf } from '#web/api/call.ts';
import { type CompanyFile, changeFile, dropFile, reloadFiles, useCompanyFiles } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import { cancelUpload } from '#web/features/uploads/cancel-upload.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import { DocumentCell } from './DocumentCell.tsx';
import styles from './Documents.module.css';
import { isRetryable } from './file-state.ts';

const texts = messages.documents;

/** The company's documents, live, with what an admin may do to each. */
export function DocumentsSection() {
  const { files, status } = useCompanyFiles();
  const session = useSession();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter).trim().toLocaleLowerCase();
  const [doomed, setDoomed] = useState<CompanyFile | null>(null);
  const [asking, setAsking] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const rows = wanted === '' ? files : files.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));

  const remove = async () => {
    if (!doomed || deleting) return;
    if (session.state !== 'signed-in') {
      showAlert('problem', texts.deleteSignedOut);
      return;
    }
    setDeleting(true);
    try {
      const { message } = await call('deleteFile', { filePath: doomed.path });
      dropFile(doomed.id);
      showAlert('done', message);
    } catch (error) {
      const why = messageOf(error, '');
      showAlert('problem', why === '' ? texts.deleteFailed : texts.deleteFailedWith(why));
      void reloadFiles();
    } finally {
      setDeleting(false);
      setAsking(false);
    }
  };

  const columns = [
    { title: texts.fileName, cell: (file: CompanyFile) => <DocumentCell file={file} /> },
    {
      title: texts.actions,
      width: 'clamp(72px, 14vw, 140px)',
      end: true,
      cell: (file: CompanyFile) => (
        <div className={styles.actions}>
          {isRetryable(file) && (
            <button type="button" aria-label={`Retry ${file.name}`} onClick={() => void retry(file)}>
              Retry
            </button>
          )}
          {file.state === 'uploading' ? (
            <button type="button" aria-label={`Cancel the upload of ${file.name}`} onClick={() => void cancel(file)}>
              Cancel
            </button>
          ) : (
            <button
              type="button"
              className={styles.danger}
              aria-label={`Delete ${file.name}`}
              onClick={() => {
                setDoomed(file);
                setAsking(true);
              }}
            >
              Delete
            </button>
          )}
        </div>
      ),
    },
  ];

  return (
    <Section heading={texts.heading} tool={<Filter label={texts.filter} value={filter} onChange={setFilter} />}>
      <DataTable
        label={texts.heading}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        instead={status === 'loading' ? texts.loading : <Nothing filtered={files.length > 0} />}
      />
      <Confirm
        opened={asking}
        title="Delete this file?"
        action="Delete"
        busy={deleting}
        onConfirm={remove}
        onCancel={() => setAsking(false)}
      >
        {doomed && (
          <p>
            <strong className={styles.doomed}>
              <FileName name={doomed.name} />
            </strong>{' '}
            and all its versions will be deleted, and no answer will use it any more. This cannot be undone.
          </p>
        )}
      </Confirm>
    </Section>
  );
}

async function retry(file: CompanyFile): Promise<void> {
  const { reason: _, progress: __, ...rest } = file;
  changeFile({ ...rest, state: 'queued' });
  try {
    await call('retryFile', { documentId: file.id });
  } catch (error) {
    changeFile(file);
    showAlert('problem', messageOf(error, 'The file could not be read again.'), <bdi>{file.name}</bdi>);
  }
}

/** Anyone's upload: this tab's own, another person's, or one that its sender has left. */
async function cancel(file: CompanyFile): Promise<void> {
  try {
    await cancelUpload(file.id);
    dropFile(file.id);
  } catch (error) {
    showAlert('problem', messageOf(error, 'The upload could not be cancelled.'), <bdi>{file.name}</bdi>);
    void reloadFiles();
  }
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) return 'No document has this in its name.';
  return (
    <>
      {texts.empty}{' '}
      <button type="button" className={styles.first} onClick={openUploads}>
        Upload the first ones
      </button>
    </>
  );
}
