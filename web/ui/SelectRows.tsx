import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import styles from './SelectRows.module.css';

/** Rows of a table that can be selected. */
export interface Selecting<Row> {
  /** Keys of the selected ones. */
  selected: ReadonlySet<string>;
  /** Names the box for those who hear the page; null: the row can't be selected. */
  labelOf: (row: Row) => string | null;
  /** @param isRange with all rows from the one before to this one */
  onSelect: (row: Row, selected: boolean, isRange: boolean) => void;
  all: AllRows;
}

interface AllRows {
  state: 'all' | 'some' | 'none';
  label: string;
  onChange: (selected: boolean) => void;
}

/** The box in the head of a table: for all rows that are shown, drawn or not. */
export function SelectAll({ state, label, onChange }: AllRows) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // No attribute says it.
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}

/**
 * The box of a row. With Shift held a click, or the space bar, takes the rows in between along; the arrow keys lead
 * from box to box.
 */
export function SelectRow<Row>({
  row,
  rowKey,
  selecting: { selected, labelOf, onSelect },
}: {
  row: Row;
  rowKey: string;
  selecting: Selecting<Row>;
}) {
  const withShift = useRef(false);
  const label = labelOf(row);
  if (label === null) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only looks at the keys held while the box is pressed, as by a key
    <label
      className={styles.box}
      onMouseDown={(event: MouseEvent) => {
        // With Shift held the browser would select the words in between.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={({ shiftKey }) => {
        withShift.current ||= shiftKey;
      }}
    >
      <input
        type="checkbox"
        aria-label={label}
        data-select-row
        checked={selected.has(rowKey)}
        onChange={({ target }) => {
          onSelect(row, target.checked, withShift.current);
          withShift.current = false;
        }}
        onKeyDown={moveFocus}
      />
    </label>
  );
}

/** To the box of the next row or of the one before: those beside what is in sight are always drawn. */
function moveFocus(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const boxes = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('[data-select-row]') ?? [])];
  const next = boxes[boxes.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
