import { useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import type { CompanyFile } from '#web/api/company-files.ts';
import { ChooseSome } from '#web/ui/Choices.tsx';
import control from '#web/ui/control.module.css';
import { Filter } from '#web/ui/Section.tsx';
import { usePressOutside } from '#web/ui/use-press-outside.ts';
import { type OptionalColumn, optionalColumns } from './columns.ts';
import styles from './Library.module.css';
import { countStates, stateGroups, tagsOf, type Wanted } from './library.ts';
import { words } from './words.ts';

export interface LibraryToolsProps {
  files: readonly CompanyFile[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
  columns: readonly OptionalColumn[];
  onColumns: (columns: readonly OptionalColumn[]) => void;
  /** How many of them are shown; empty: all. */
  count: string;
}

/** Above the table of all files: what it is narrowed to, and which columns it has. */
export function LibraryTools({ files, wanted, onWanted, columns, onColumns, count }: LibraryToolsProps) {
  const counts = countStates(files);
  const tags = tagsOf(files);
  const chosen = wanted.tag !== '' && !tags.includes(wanted.tag) ? [wanted.tag, ...tags] : tags;
  return (
    <div className={styles.tools}>
      <Filter
        label={messages.documents.filter}
        value={wanted.text}
        onChange={(text) => onWanted({ ...wanted, text })}
      />
      <select
        className={`${control.field} ${styles.states}`}
        aria-label={words.stateLabel}
        value={wanted.state}
        onChange={({ target }) =>
          onWanted({ ...wanted, state: stateGroups.find((group) => group === target.value) ?? 'all' })
        }
      >
        <option value="all">{words.allStates}</option>
        {stateGroups.map((group) => (
          <option key={group} value={group}>
            {words.states[group]} ({counts[group].toLocaleString()})
          </option>
        ))}
      </select>
      {chosen.length > 0 && (
        <select
          className={`${control.field} ${styles.states}`}
          aria-label={words.tagLabel}
          value={wanted.tag}
          onChange={({ target }) => onWanted({ ...wanted, tag: target.value })}
        >
          <option value="">{words.allTags}</option>
          {chosen.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </select>
      )}
      <ColumnChoice columns={columns} onColumns={onColumns} />
      <span className={styles.count} role="status">
        {count}
      </span>
    </div>
  );
}

/** Opens below its button, and closes by Esc or a press elsewhere. */
function ColumnChoice({ columns, onColumns }: Pick<LibraryToolsProps, 'columns' | 'onColumns'>) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  usePressOutside(
    isOpen,
    (target) => Boolean(box.current?.contains(target)),
    () => setIsOpen(false),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the choice from anywhere in it
    <div
      ref={box}
      className={styles.columns}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className={`${control.quiet} ${styles.columnsButton}`}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.chooseColumns}
      </button>
      {isOpen && (
        <div className={styles.columnsPanel}>
          <ChooseSome
            legend={words.chooseColumns}
            choices={optionalColumns.map((value) => ({ value, label: words.columns[value] }))}
            values={columns}
            onChange={(next) => onColumns(optionalColumns.filter((column) => next.includes(column)))}
          />
        </div>
      )}
    </div>
  );
}
