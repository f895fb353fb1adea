import { useRef, useState } from 'react';
import { type CompanyFile, collectionOf } from '#web/api/company-files.ts';
import type { ManyAction } from '#web/api/many-files.ts';
import { MoveMany } from '#web/features/collections/MoveMany.tsx';
import { useCanMove } from '#web/features/collections/plan.tsx';
import { words as collectionWords } from '#web/features/collections/words.ts';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { isRetryable } from './file-state.ts';
import styles from './SelectionBar.module.css';
import { nothingSelected, type Selection } from './selection.ts';
import { TagMany } from './TagMany.tsx';
import { type Trouble, useMany } from './use-many.ts';
import { words } from './words.ts';

export interface SelectionBarProps {
  /** In the order of the list. */
  selected: readonly CompanyFile[];
  /** How many of them the filter hides. */
  hidden: number;
  onSelect: (selection: Selection) => void;
  onReplace: (file: CompanyFile) => void;
}

/**
 * What may be done to the selected files, and how far that is. Below the table, in sight as long as some are selected.
 */
export function SelectionBar({ selected, hidden, onSelect, onReplace }: SelectionBarProps) {
  const { running, trouble, run, stop, forget } = useMany(onSelect);
  const [asked, setAsked] = useState<'delete' | 'tag' | 'move' | null>(null);
  const canMove = useCanMove();
  const retryable = selected.filter(isRetryable);
  const [only] = selected.length === 1 ? selected : [];
  // Always there: the focus stays in it when the button that had it is gone.
  const place = useRef<HTMLDivElement>(null);
  const start = (action: ManyAction, files: readonly CompanyFile[]) => {
    setAsked(null);
    run(action, files);
    place.current?.focus();
  };
  return (
    <div ref={place} tabIndex={-1} className={styles.place}>
      {(selected.length > 0 || running) && (
        <section className={styles.bar} aria-label={words.withSelected} data-in-use>
          {trouble && !running && <Left trouble={trouble} />}
          {running ? (
            <div className={styles.line}>
              <span role="status">{words.doing[running.kind]}</span>
              <span className={styles.progress}>
                <Progress label={words.doing[running.kind]} {...running} />
              </span>
              <span className={styles.count}>{words.progress(running.done, running.total)}</span>
              <Button compact look="plain" onClick={stop}>
                {words.stop}
              </Button>
            </div>
          ) : (
            <div className={styles.line}>
              <span className={styles.count} role="status">
                {words.selected(selected.length)}
                {hidden > 0 && <span className={styles.hidden}>, {words.notShown(hidden)}</span>}
              </span>
              <Button compact look="plain" onClick={() => setAsked('tag')}>
                {words.tagMany}
              </Button>
              {canMove && (
                <Button compact look="plain" onClick={() => setAsked('move')}>
                  {collectionWords.moveMany}
                </Button>
              )}
              {only && (
                <Button compact look="plain" onClick={() => onReplace(only)}>
                  {words.replace}
                </Button>
              )}
              {retryable.length > 0 && (
                <Button compact look="plain" onClick={() => start({ kind: 'retry' }, retryable)}>
                  {words.retryMany(retryable.length, selected.length)}
                </Button>
              )}
              <Button compact look="danger-quiet" onClick={() => setAsked('delete')}>
                {words.delete}
              </Button>
              <Button
                compact
                look="plain"
                onClick={() => {
                  forget();
                  onSelect(nothingSelected);
                  place.current?.focus();
                }}
              >
                {words.clear}
              </Button>
            </div>
          )}
        </section>
      )}
      <Confirm
        opened={asked === 'delete'}
        title={selected.length === 1 ? words.deleteOne : words.deleteMany(selected.length)}
        action={words.delete}
        onConfirm={() => start({ kind: 'delete' }, selected)}
        onCancel={() => setAsked(null)}
      >
        <Names names={selected.map(({ name }) => name)} />
        <p>{words.deleteManyMeans(selected.length)}</p>
      </Confirm>
      {asked === 'move' && (
        <MoveMany
          from={selected.map(collectionOf)}
          onMove={(collectionId) => start({ kind: 'move', collectionId }, selected)}
          onCancel={() => setAsked(null)}
        />
      )}
      {asked === 'tag' && (
        <TagMany
          files={selected}
          onSave={(change) => start({ kind: 'tag', ...change }, selected)}
          onCancel={() => setAsked(null)}
        />
      )}
    </div>
  );
}

/** So many are named; a longer list would push the buttons out of the window. */
const maxNames = 5;

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - maxNames;
  return (
    <ul className={styles.names}>
      {names.slice(0, maxNames).map((name) => (
        <li key={name}>
          <FileName name={name} />
        </li>
      ))}
      {more > 0 && <li>{words.more(more)}</li>}
    </ul>
  );
}

function Left({ trouble: { text, reasons } }: { trouble: Trouble }) {
  return (
    <Notice kind="problem">
      {text}
      {reasons.map(({ reason, names }) => (
        <div key={reason}>
          <bdi>{names.slice(0, maxNames).join(', ')}</bdi>
          {names.length > maxNames && ` ${words.more(names.length - maxNames)}`}: {reason}
        </div>
      ))}
    </Notice>
  );
}
