import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { AppHeader } from '#web/features/chat/AppHeader.tsx';
import { DocumentView } from '#web/features/viewer/DocumentView.tsx';
import { targetOf } from '#web/features/viewer/target.ts';
import { useTitle } from '#web/lib/title.ts';
import styles from './DocumentPage.module.css';
import { NotFoundPage } from './NotFoundPage.tsx';

/** A version of a document on a page of its own: where the links of an answer lead. */
export function DocumentPage() {
  const { documentId, version } = useParams();
  const [search] = useSearchParams();
  const [name, setName] = useState('Document');
  useTitle(name);
  const target = targetOf(`/documents/${documentId}/${version}?${search}`);
  if (!target) return <NotFoundPage />;
  return (
    <div className={styles.page}>
      <AppHeader />
      <main id="content" className={styles.main}>
        <DocumentView key={`${documentId} ${version} ${search}`} target={target} onName={setName} />
      </main>
    </div>
  );
}
