import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import type { Choice } from './names.ts';
import styles from './Uploads.module.css';
import type { UploadItem } from './uploads.ts';

export interface TakenNamesProps {
  opened: boolean;
  /** Nobody has said yet what to do with these. */
  undecided: readonly UploadItem[];
  onChoose: (items: readonly UploadItem[], choice: Choice) => void;
  onCancel: () => void;
}

/** Asks about files whose name is taken, one after the other, or about all at once. */
export function TakenNames({ opened, undecided, onChoose, onCancel }: TakenNamesProps) {
  const [all, setAll] = useState(false);
  const [first] = undecided;
  const others = undecided.length - 1;
  const decide = (choice: Choice) => onChoose(all ? undecided : undecided.slice(0, 1), choice);
  return (
    <Dialog opened={opened && first !== undefined} onClose={onCancel} title="Replace or keep both?">
      <p className={styles.question}>
        A file named <bdi className={styles.named}>{first?.name}</bdi> is already there.
      </p>
      <p className={styles.explained}>
        <strong>Replace</strong> makes it the next version: answers use that one, and old citations still open what they
        cited. <strong>Keep both</strong> adds it under another name.
      </p>
      {others > 0 && (
        <label className={styles.forAll}>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Do the same for {others === 1 ? 'the other file' : `the other ${others.toLocaleString()} files`} whose name is
          taken
        </label>
      )}
      <DialogActions>
        <Button look="plain" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="plain" onClick={() => decide('keep-both')} data-autofocus>
          Keep both
        </Button>
        <Button onClick={() => decide('replace')}>Replace</Button>
      </DialogActions>
    </Dialog>
  );
}
