import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { isSignedOut, messageOf } from '#web/api/call.ts';
import { type CompanyFile, deleteFile, reloadFiles } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import { tellAtLogin } from '#web/lib/login-message.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import styles from './Documents.module.css';
import { words } from './words.ts';

const texts = messages.documents;

/** Asks before a file is deleted, and deletes it. */
export function DeleteFile({ file, onDone }: { file: CompanyFile | null; onDone: () => void }) {
  const session = useSession();
  // Its name stays on the dialog while that closes.
  const [doomed, setDoomed] = useState(file);
  useEffect(() => {
    if (file) setDoomed(file);
  }, [file]);

  const removal = useMutation({
    ...deleteFile,
    onSuccess: ({ message }) => showAlert('done', message),
    onError: (error) => {
      if (isSignedOut(error)) return tellAtLogin(texts.deleteSignedOut);
      const why = messageOf(error, '');
      showAlert('problem', why === '' ? texts.deleteFailed : texts.deleteFailedWith(why));
      void reloadFiles();
    },
    onSettled: onDone,
  });
  const remove = () => {
    if (!file || removal.isPending) return;
    if (session.state !== 'signed-in') return tellAtLogin(texts.deleteSignedOut);
    removal.mutate(file);
  };

  return (
    <Confirm
      opened={file !== null}
      title={words.deleteOne}
      action={words.delete}
      pending={removal.isPending}
      onConfirm={remove}
      onCancel={onDone}
    >
      {doomed && (
        <p>
          <strong className={styles.doomed}>
            <FileName name={doomed.name} />
          </strong>{' '}
          {words.deleteOneMeans}
        </p>
      )}
    </Confirm>
  );
}
