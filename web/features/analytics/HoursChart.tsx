import { Fragment } from 'react';
import type { Analytics } from '#web/api/analytics.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './Charts.module.css';
import { words } from './words.ts';

const weekdays = Array.from({ length: 7 }, (_, i) => i + 1);
const hoursOfDay = Array.from({ length: 24 }, (_, i) => i);
/** Smaller than this part of its cell a square would not be seen. */
const minSide = 0.18;

/**
 * When people ask: a square for each hour of the week, the larger the more, so that no colour need be told from
 * another; and a table for those who hear the page.
 */
export function HoursChart({ hours }: { hours: NonNullable<Analytics['hours']> }) {
  const counts = new Map(hours.map(({ weekday, hour, asked }) => [weekday * 24 + hour, asked]));
  const countOf = (weekday: number, hour: number) => counts.get(weekday * 24 + hour) ?? 0;
  const most = Math.max(1, ...counts.values());
  return (
    <figure className={styles.figure}>
      <div className={styles.week} aria-hidden="true">
        <span />
        {hoursOfDay.map((hour) => (
          <span key={hour} className={styles.hour}>
            {hour % 3 === 0 && hour}
          </span>
        ))}
        {weekdays.map((weekday) => (
          <Fragment key={weekday}>
            <span className={styles.weekday}>{weekdayName(weekday, 'short')}</span>
            {hoursOfDay.map((hour) => {
              const asked = countOf(weekday, hour);
              const side = asked === 0 ? 0 : Math.max(minSide, Math.sqrt(asked / most));
              return (
                <span
                  key={hour}
                  className={styles.cell}
                  title={`${weekdayName(weekday, 'long')}, ${hour}:00 to ${hour + 1}:00: ${asked.toLocaleString()}`}
                >
                  <span className={styles.square} style={{ width: `${side * 100}%`, height: `${side * 100}%` }} />
                </span>
              );
            })}
          </Fragment>
        ))}
      </div>
      <VisuallyHidden as="div">
        <table>
          <caption>{words.byHour}</caption>
          <thead>
            <tr>
              <th scope="col">{words.hour}</th>
              {weekdays.map((weekday) => (
                <th key={weekday} scope="col">
                  {weekdayName(weekday, 'long')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hoursOfDay.map((hour) => (
              <tr key={hour}>
                <th scope="row">{hour}:00</th>
                {weekdays.map((weekday) => (
                  <td key={weekday}>{countOf(weekday, hour).toLocaleString()}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** @param weekday 1: Monday */
function weekdayName(weekday: number, form: 'short' | 'long'): string {
  // The fifth of January 2026 was a Monday.
  const day = new Date(Date.UTC(2026, 0, 4 + weekday));
  return new Intl.DateTimeFormat(undefined, { weekday: form, timeZone: 'UTC' }).format(day);
}
