import { Link } from 'react-router';
import type { CompanyFile } from '#web/api/company-files.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Documents.module.css';
import { documentFacts, fileFacts, fileStateText, unreadSentences } from './file-state.ts';
import { PlantedNotice } from './PlantedNotice.tsx';
import { words } from './words.ts';

export interface DocumentCellProps {
  file: CompanyFile;
  /** The name leads to the document page, and what has columns of its own is left out. */
  full?: boolean;
  /** Of who may have uploaded it, by their ids; absent: not known. */
  emails?: ReadonlyMap<string, string> | undefined;
}

/** A file's name with its state, progress, reason and facts below. */
export function DocumentCell({ file, full = false, emails }: DocumentCellProps) {
  const { text, bad, progress } = fileStateText(file);
  const facts = full ? documentFacts(file, emails) : fileFacts(file);
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
          <Progress label={words.progressOf(file)} {...progress} />
        </div>
      )}
    </>
  );
}

/** More than one reason is opened by who wants to know: a scan may have a dozen. */
function Reason({ file, text }: { file: CompanyFile; text: string }) {
  const sentences = unreadSentences(file);
  if (sentences.length < 2) return <div className={styles.bad}>{text}</div>;
  return (
    <details className={styles.bad}>
      <summary>{words.notRead}</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
