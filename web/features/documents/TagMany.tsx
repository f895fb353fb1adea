import { type FormEvent, useState } from 'react';
import type { CompanyFile } from '#web/api/company-files.ts';
import { Button } from '#web/ui/Button.tsx';
import { ChooseSome } from '#web/ui/Choices.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './Library.module.css';
import { tagsIn } from './tags-in.ts';
import { words } from './words.ts';

export interface TagManyProps {
  files: readonly CompanyFile[];
  onSave: (change: { add: string[]; remove: string[] }) => void;
  onCancel: () => void;
}

/** The window in which tags are given to many files, and taken from them. */
export function TagMany({ files, onSave, onCancel }: TagManyProps) {
  const [text, setText] = useState('');
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const present = countTags(files);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const add = tagsIn(text);
    if (add.length === 0 && removed.length === 0) setProblem(words.chooseTags);
    else onSave({ add, remove: [...removed] });
  };
  return (
    <Dialog opened onClose={onCancel} title={words.tagManyTitle(files.length)}>
      <form onSubmit={save} noValidate>
        <Field
          label={words.addTags}
          value={text}
          error={problem}
          onChange={({ target }) => {
            setText(target.value);
            setProblem(undefined);
          }}
          data-autofocus
        />
        {present.length > 0 && (
          <div className={styles.present}>
            <ChooseSome
              legend={words.removeTags}
              choices={present.map(({ tag, count }) => ({ value: tag, label: words.tagOn(tag, count) }))}
              values={removed}
              onChange={(next) => {
                setRemoved(next);
                setProblem(undefined);
              }}
            />
          </div>
        )}
        <DialogActions>
          <Button look="plain" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit">{words.save}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** As many as a call takes. */
const maxRemoved = 100;

/** The tags of the files, those of most files first. */
function countTags(files: readonly CompanyFile[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of files) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return Array.from(counts, ([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => b.count - a.count || a.tag.localeCompare(b.tag))
    .slice(0, maxRemoved);
}
