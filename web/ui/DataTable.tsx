import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import styles from './DataTable.module.css';

interface Column<Row> {
  title: string;
  /** Any CSS width; the columns without one share what is left. */
  width?: string;
  /** At the end of the line, where actions stand. */
  end?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Shown instead of rows while there are none: loading, empty, nothing found. */
  instead: ReactNode;
  /** Where there is no room for columns, each row is a card: its first cell over its whole width, the others below. */
  cards?: boolean;
}

/**
 * A table that scrolls at a fixed height below its header and draws only the rows in sight, so that 5,000 of them are as
 * quick as five.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, instead, cards = false }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 63,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: 8,
  });
  const inSight = virtual.getVirtualItems();
  const above = inSight.at(0)?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={rows.length > 0 ? 0 : undefined}>
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        data-cards={cards || undefined}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ title, width, end }) => (
              <th key={title} scope="col" style={{ width }} data-end={end || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Room height={above} columns={columns.length} />
          {inSight.map(({ key, index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={key} ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
                {columns.map(({ title, cell, end }) => (
                  <td key={title} data-title={title} data-end={end || undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Room height={below} columns={columns.length} />
        </tbody>
      </table>
      {rows.length === 0 && (
        <div className={styles.instead} role="status">
          {instead}
        </div>
      )}
    </div>
  );
}

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
