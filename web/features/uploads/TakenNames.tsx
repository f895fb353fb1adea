import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import type { Choice } from '#web/api/unfinished-uploads.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import styles from './Uploads.module.css';
import type { UploadItem } from './upload-item.ts';
import { words } from './words.ts';

export interface TakenNamesProps {
  opened: boolean;
  /** Nobody has said yet what to do with these. */
  undecided: readonly UploadItem[];
  onChoose: (items: readonly UploadItem[], choice: Choice) => void;
  onCancel: () => void;
}

/** Asks about files whose name is taken, one after the other, or about all at once. */
export function TakenNames({ opened, ...question }: TakenNamesProps) {
  return (
    <Dialog opened={opened && question.undecided.length > 0} onClose={question.onCancel} title={words.takenTitle}>
      <Question {...question} />
    </Dialog>
  );
}

/** There only while it is asked: an answer that was meant for all is not ticked the next time. */
function Question({ undecided, onChoose, onCancel }: Omit<TakenNamesProps, 'opened'>) {
  const [all, setAll] = useState(false);
  const [first] = undecided;
  const others = undecided.length - 1;
  const decide = (choice: Choice) => onChoose(all ? undecided : undecided.slice(0, 1), choice);
  return (
    <>
      <p className={styles.question}>
        {words.takenBefore}
        <bdi className={styles.named}>{first?.name}</bdi>
        {words.takenAfter}
      </p>
      <p className={styles.explained}>
        <strong>{words.replace}</strong>
        {words.replaceMeans}
        <strong>{words.keepBoth}</strong>
        {words.keepBothMeans}
      </p>
      {others > 0 && (
        <label className={styles.forAll}>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          {words.forAll(others)}
        </label>
      )}
      <DialogActions>
        <Button look="plain" onClick={onCancel}>
          {messages.documents.cancel}
        </Button>
        <Button look="plain" onClick={() => decide('keep-both')} data-autofocus>
          {words.keepBoth}
        </Button>
        <Button onClick={() => decide('replace')}>{words.replace}</Button>
      </DialogActions>
    </>
  );
}
