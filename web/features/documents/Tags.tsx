import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type CompanyFile, setFileTags } from '#web/api/company-files.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Library.module.css';
import { tagsIn } from './tags-in.ts';
import { words } from './words.ts';

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
          aria-label={tags.length > 0 ? words.editTagsOf(file.name) : words.addTagsTo(file.name)}
          onClick={() => onEdit(file)}
        >
          {tags.length > 0 ? words.edit : words.add}
        </button>
      )}
    </div>
  );
}

/** The window in which a file's tags are written. Mount it anew (`key`) for another file. */
export function EditTags({ file, onDone }: { file: CompanyFile | null; onDone: () => void }) {
  const [text, setText] = useState(() => file?.tags?.join(', ') ?? '');
  const change = useMutation({ ...setFileTags, onSuccess: onDone });
  if (!file) return null;

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate({ file, tags: tagsIn(text) });
  };
  return (
    <Dialog opened onClose={onDone} title={words.tags}>
      <form onSubmit={save} noValidate>
        <p className={styles.named}>
          <FileName name={file.name} />
        </p>
        <Field label={words.tagsField} value={text} onChange={({ target }) => setText(target.value)} data-autofocus />
        {change.error && <Notice kind="problem">{messageOf(change.error, words.tagsFailed)}</Notice>}
        <DialogActions>
          <Button look="plain" onClick={onDone}>
            {words.cancel}
          </Button>
          <Button type="submit" pending={change.isPending}>
            {change.isPending ? words.saving : words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
