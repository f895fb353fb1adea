import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { messages } from '#contract/messages.ts';
import { reloadFiles, useCompanyFiles } from '#web/api/company-files.ts';
import { words as collectionWords } from '#web/features/collections/words.ts';
import { Library } from '#web/features/documents/Library.tsx';
import { DiskNotice, StorageMeter } from '#web/features/documents/StorageUse.tsx';
import { words } from '#web/features/documents/words.ts';
import { preloadUploads } from '#web/features/uploads/Uploading.tsx';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Admin.module.css';

/** All of the company's files, with everything that is known of each. */
export function DocumentsPage() {
  useTitle(words.title);
  const { files, status } = useCompanyFiles();
  const { search } = useLocation();
  useEffect(preloadUploads, []);
  return (
    <>
      <header className={styles.top}>
        <div className={styles.welcome}>
          <h1 className={styles.heading}>{words.title}</h1>
          <p className={styles.sub}>
            <Link to="/admin/collections">{collectionWords.title}</Link>
            {status === 'ready' && ` · ${words.count(files.length)}`}
          </p>
          <StorageMeter />
        </div>
        <Button onClick={openUploads}>{messages.documents.upload}</Button>
      </header>
      <DiskNotice />
      <SlowNotice waiting={status === 'loading'} />
      {status === 'failed' ? (
        <LoadFailed retry={reloadFiles}>{messages.chat.fileListFailed}</LoadFailed>
      ) : (
        <Library key={search} />
      )}
    </>
  );
}
