import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import styles from './DataTable.module.css';
import { EmptyState } from './EmptyState.tsx';
import { OrderIcon } from './icons.tsx';
import { useMoves } from './motion.ts';
import { SelectAll, type Selecting, SelectRow } from './SelectRows.tsx';
import { Bar } from './Skeleton.tsx';
import { hiddenAt } from './VisuallyHidden.tsx';

interface Column<Row> {
  title: string;
  /** Any CSS width; the columns without one share what is left. */
  width?: string;
  /** At the end of the line, where actions stand. */
  end?: boolean;
  /** Given where the rows can be put in the order of this column; `sorted` says how they are now. */
  onSort?: () => void;
  sorted?: 'ascending' | 'descending' | 'none';
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** One function for every drawing: with another one all rows are measured anew. */
  rowKey: (row: Row) => string;
  /** Given where rows can be selected, by a box before each. */
  selecting?: Selecting<Row>;
  /** What is on its way, while it is: its rows stand for those that come. */
  loading?: string | undefined;
  /** Shown instead of rows while there are none: empty, nothing found. */
  instead: ReactNode;
  /** As high as the window allows: where the table is what the page is about. */
  tall?: boolean;
}

/**
 * A table that scrolls at a fixed height below its header and draws only the rows in sight, so that 5,000 of them are
 * as quick as five. Where there is no room for columns, each row is a card: its first cell over its whole width, the
 * others below.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  selecting,
  loading,
  instead,
  tall = false,
}: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 63,
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index];
        return row === undefined ? index : rowKey(row);
      },
      [rows, rowKey],
    ),
    overscan: 8,
  });
  const inSight = virtual.getVirtualItems();
  const above = inSight.at(0)?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  const height = useWholeRows(scroller);
  useMoves(scroller, rows, 'tbody tr[data-index]');
  const columnCount = columns.length + (selecting ? 1 : 0);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={{ height }}
      data-tall={tall || undefined}
      // A stop of the keyboard, which is heard as what it is.
      {...(rows.length > 0 ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
    >
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={loading !== undefined || undefined}
      >
        <thead className={hiddenAt('tablesAsCards')}>
          <tr aria-rowindex={1}>
            {selecting && (
              <th scope="col" className={styles.select}>
                <SelectAll {...selecting.all} />
              </th>
            )}
            {columns.map(({ title, width, end, sorted, onSort }) => (
              <th key={title} scope="col" style={{ width }} data-end={end || undefined} aria-sort={sorted}>
                {onSort ? (
                  <button type="button" className={styles.sort} onClick={onSort}>
                    {title}
                    {sorted && sorted !== 'none' && <OrderIcon order={sorted} />}
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Room height={above} columns={columnCount} />
          {inSight.map(({ key, index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                data-selects={selecting && true}
              >
                {selecting && (
                  <td className={styles.select}>
                    <SelectRow row={row} rowKey={rowKey(row)} selecting={selecting} />
                  </td>
                )}
                {columns.map(({ title, cell, end }) => (
                  <td key={title} data-title={title} data-end={end || undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Room height={below} columns={columnCount} />
          {loading !== undefined && (
            // Anew where another column comes: none is moved by it.
            <Coming
              key={columnCount}
              ends={columns.map(({ end = false }) => end)}
              selects={Boolean(selecting)}
              rows={tall ? 8 : 5}
            />
          )}
        </tbody>
      </table>
      {loading !== undefined ? (
        <p className={styles.loading} role="status">
          {loading}
        </p>
      ) : (
        rows.length === 0 && <EmptyState>{instead}</EmptyState>
      )}
    </div>
  );
}

/**
 * The height at which the box ends between two rows, where not all fit: a row that is cut through looks like a mistake,
 * and hides what it says. Absent where all fit.
 */
function useWholeRows(scroller: RefObject<HTMLDivElement | null>): number | undefined {
  const [height, setHeight] = useState<number>();
  // After each drawing: rows grow and shrink with what they say.
  useLayoutEffect(() => {
    const measure = () => {
      const box = scroller.current;
      // Scrolled, the first rows are not drawn any more; the height stays as it is.
      if (!box || box.scrollTop > 0) return;
      const max = Number.parseFloat(getComputedStyle(box).maxHeight);
      const border = box.offsetHeight - box.clientHeight;
      if (box.scrollHeight + border <= max) return setHeight(undefined);
      const { top } = box.getBoundingClientRect();
      const ends = Array.from(
        box.querySelectorAll('tbody tr:is([data-index], [data-coming])'),
        (row) => row.getBoundingClientRect().bottom - top + border,
      );
      setHeight(ends.findLast((end) => end <= max));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  });
  return height;
}

/** Rows that are on their way. What they are stands where the name of the first will be. */
function Coming({ ends, selects, rows }: { ends: readonly boolean[]; selects: boolean; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <tr key={row} className={styles.coming} data-coming aria-hidden="true">
      {selects && <td className={styles.select} />}
      {ends.map((end, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns stand as they are
        <td key={column} data-end={end || undefined} data-name={column === 0 || undefined}>
          <Bar width={column === 0 ? (nameWidths[row % nameWidths.length] ?? '') : '60%'} />
          {column === 0 && <Bar width="30%" />}
        </td>
      ))}
    </tr>
  ));
}

const nameWidths = ['58%', '74%', '46%', '66%', '52%'];

/** Keeps the place of the rows that are not drawn. */
function Room({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true">
      <td colSpan={columns} className={styles.room} style={{ height }} />
    </tr>
  );
}
