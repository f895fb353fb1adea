import { Link } from 'react-router';
import type { CompanyFile } from '#web/api/company-files.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Documents.module.css';
import { fileFacts, fileStateText, unreadSentences } from './file-state.ts';
import { PlantedNotice } from './PlantedNotice.tsx';

export interface DocumentCellProps {
  file: CompanyFile;
  /** The name leads to the document page, and what has columns of its own is left out. */
  full?: boolean;
}

/** A file's name with its state, progress, reason and facts below. */
export function DocumentCell({ file, full = false }: DocumentCellProps) {
  const { text, bad, progress } = fileStateText(file);
  const facts = full ? pagesOf(file) : fileFacts(file);
  return (
    <>
      <div className={styles.name}>
        {full && file.state !== 'uploading' ? (
          <Link className={styles.open} to={`/documents/${file.id}/${file.currentVersion ?? file.version}`}>
            <FileName name={file.name} />
          </Link>
        ) : (
          <FileName name={file.name} />
        )}
      </div>
      {bad && <Reason file={file} text={text} />}
      <div className={styles.facts}>{[!bad && text, facts].filter(Boolean).join(' · ')}</div>
      {full && <PlantedNotice file={file} />}
      {progress && (
        <div className={styles.progress}>
          <Progress label={`${file.state === 'uploading' ? 'Upload' : 'Reading'} of ${file.name}`} {...progress} />
        </div>
      )}
    </>
  );
}

function pagesOf({ pages }: CompanyFile): string | null {
  if (pages === undefined) return null;
  return pages === 1 ? '1 page' : `${pages.toLocaleString()} pages`;
}

/** More than one reason is opened by who wants to know: a scan may have a dozen. */
function Reason({ file, text }: { file: CompanyFile; text: string }) {
  const sentences = unreadSentences(file);
  if (sentences.length < 2) return <div className={styles.bad}>{text}</div>;
  return (
    <details className={styles.bad}>
      <summary>Partly readable: what could not be read</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
