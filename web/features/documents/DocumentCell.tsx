import type { CompanyFile } from '#web/api/company-files.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './Documents.module.css';
import { fileFacts, fileStateText } from './file-state.ts';

/** A file's name with its state, progress, reason and facts below. */
export function DocumentCell({ file }: { file: CompanyFile }) {
  const { text, bad, progress } = fileStateText(file);
  return (
    <>
      <div className={styles.name}>
        <FileName name={file.name} />
      </div>
      {bad && <div className={styles.bad}>{text}</div>}
      <div className={styles.facts}>
        {!bad && `${text} · `}
        {fileFacts(file)}
      </div>
      {progress && (
        <div className={styles.progress}>
          <Progress label={`${file.state === 'uploading' ? 'Upload' : 'Reading'} of ${file.name}`} {...progress} />
        </div>
      )}
    </>
  );
}
