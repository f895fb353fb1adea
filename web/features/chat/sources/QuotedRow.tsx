import type { ReactNode } from 'react';
import type { Source } from '#web/features/chat/conversation/message.ts';
import styles from './QuotedRow.module.css';

export interface QuotedRowProps {
  row: NonNullable<Source['row']>;
  /** Leads to where it stands, from within. */
  marker?: ReactNode;
}

/** UTF-16 code units. */
const shortCell = 12;

/**
 * A row of a table as one, below the names of its columns, the cell that was asked for marked. Where it has no room
 * beside each other, each cell stands in a line of its own behind its name.
 */
export function QuotedRow({ row: { cells, unit, asked }, marker }: QuotedRowProps) {
  const last = cells.length - 1;
  const behind = asked ?? last;
  return (
    <div className={styles.place}>
      <table className={styles.row}>
        <thead>
          <tr>
            {cells.map(({ head }, place) => {
              const Cell = head === '' ? 'td' : 'th';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
                <Cell key={place} scope={head === '' ? undefined : 'col'}>
                  {head}
                </Cell>
              );
            })}
          </tr>
        </thead>
        <tbody>
          <tr>
            {cells.map(({ head, text }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
              <td key={place} data-head={head || undefined} data-short={text.length <= shortCell || undefined}>
                {place === asked ? <mark>{text}</mark> : text}
                {place === behind && marker}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {unit !== undefined && <small className={styles.unit}>{unit}</small>}
    </div>
  );
}
