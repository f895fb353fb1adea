import { type FormEvent, useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import { type CompanyFile, changeFile } from '#web/api/company-files.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { DialogField } from '#web/ui/DialogField.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Library.module.css';
import { tagsIn } from './tags-in.ts';

/** A file's tags, and the way to change them. */
export function Tags({ file, onEdit }: { file: CompanyFile; onEdit: (file: CompanyFile) => void }) {
  const tags = file.tags ?? [];
  return (
    <div className={styles.tags}>
      {tags.length > 0 && (
        <ul>
          {tags.map((tag) => (
            <li key={tag} title={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      {file.state !== 'uploading' && (
        <button
          type="button"
          aria-label={tags.length > 0 ? `Edit tags of ${file.name}` : `Add tags to ${file.name}`}
          onClick={() => onEdit(file)}
        >
          {tags.length > 0 ? 'Edit' : 'Add'}
        </button>
      )}
    </div>
  );
}

/** The window in which a file's tags are written. Mount it anew (`key`) for another file. */
export function EditTags({ file, onDone }: { file: CompanyFile | null; onDone: () => void }) {
  const [text, setText] = useState(() => file?.tags?.join(', ') ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (!file) return null;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { tags } = await call('setFileTags', { documentId: file.id, tags: tagsIn(text) });
      changeFile({ ...file, tags });
      onDone();
    } catch (error) {
      setProblem(messageOf(error, 'The tags could not be saved.'));
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onDone} title="Tags">
      <form onSubmit={(event) => void save(event)} noValidate>
        <p className={styles.named}>
          <FileName name={file.name} />
        </p>
        <DialogField
          label="Tags, with commas between them"
          value={text}
          onChange={({ target }) => setText(target.value)}
          data-autofocus
        />
        {problem !== null && <Notice kind="problem">{problem}</Notice>}
        <DialogActions>
          <Button look="plain" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" pending={busy}>
            {busy ? 'Saving...' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
