import { useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import type { Collection } from '#web/api/collections.ts';
import { type CompanyFile, tagsOf } from '#web/api/company-files.ts';
import { CollectionOptions } from '#web/features/collections/CollectionOptions.tsx';
import { useHasCollections } from '#web/features/collections/plan.tsx';
import { ChooseSome } from '#web/ui/Choices.tsx';
import control from '#web/ui/control.module.css';
import { Filter } from '#web/ui/Section.tsx';
import { usePressOutside } from '#web/ui/use-press-outside.ts';
import { type OptionalColumn, optionalColumns } from './columns.ts';
import styles from './Library.module.css';
import { countStates, stateGroups, type Wanted } from './library.ts';
import { words } from './words.ts';

export interface LibraryToolsProps {
  files: readonly CompanyFile[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
  collections: readonly Collection[];
  columns: readonly OptionalColumn[];
  onColumns: (columns: readonly OptionalColumn[]) => void;
  /** How many of them are shown; empty: all. */
  count: string;
}

/** Above the table of all files: what it is narrowed to, and which columns it has. */
export function LibraryTools(props: LibraryToolsProps) {
  const { files, wanted, onWanted, collections, columns, onColumns, count } = props;
  const hasCollections = useHasCollections();
  const counts = countStates(files);
  const tags = tagsOf(files);
  const chosen = wanted.tag !== '' && !tags.includes(wanted.tag) ? [wanted.tag, ...tags] : tags;
  // Filters are there also while there is nothing to choose: as they came they would move what stands after them.
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
      {(hasCollections || collections.length > 1) && (
        <select
          className={`${control.field} ${styles.states}`}
          aria-label={words.collectionLabel}
          value={wanted.collection}
          disabled={collections.length <= 1}
          onChange={({ target }) => onWanted({ ...wanted, collection: target.value })}
        >
          <option value="">{words.allCollections}</option>
          <CollectionOptions collections={collections} />
        </select>
      )}
      <select
        className={`${control.field} ${styles.states}`}
        aria-label={words.tagLabel}
        value={wanted.tag}
        disabled={chosen.length === 0}
        onChange={({ target }) => onWanted({ ...wanted, tag: target.value })}
      >
        <option value="">{words.allTags}</option>
        {chosen.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </select>
      <ColumnChoice
        offered={optionalColumns.filter((column) => column !== 'collection' || collections.length > 1)}
        columns={columns}
        onColumns={onColumns}
      />
      <span className={styles.count} role="status">
        {count}
      </span>
    </div>
  );
}

/** Opens below its button, and closes by Esc or a press elsewhere. */
function ColumnChoice({
  offered,
  columns,
  onColumns,
}: Pick<LibraryToolsProps, 'columns' | 'onColumns'> & { offered: readonly OptionalColumn[] }) {
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
            choices={offered.map((value) => ({ value, label: words.columns[value] }))}
            values={columns}
            onChange={(next) => onColumns(optionalColumns.filter((column) => next.includes(column)))}
          />
        </div>
      )}
    </div>
  );
}
