import { type CSSProperties, useId, useState } from 'react';
import type { Analytics } from '#web/api/analytics.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './Charts.module.css';
import { formatDate } from './range.ts';
import { ticksTo } from './ticks.ts';
import { words } from './words.ts';

/** CSS pixels. Across it is drawn in percent, so that nothing is stretched, whatever width there is. */
const height = 180;

/**
 * Questions per day as bars; the hatched part at the foot of each was not answered. Told apart by the hatching, so that
 * no colour need be seen, and a table for those who hear the page.
 */
export function DaysChart({ perDay }: { perDay: Analytics['perDay'] }) {
  const hatching = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const ticks = ticksTo(Math.max(1, ...perDay.map(({ asked }) => asked)));
  const top = ticks.at(-1) ?? 1;
  const step = 100 / Math.max(1, perDay.length);
  const bar = step * (perDay.length > 120 ? 1 : 0.72);
  const shown = pointed === null ? null : perDay[pointed];
  const labels = labelled(perDay.map(({ date }) => date));
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span className={styles.key}>
          <span className={styles.answeredKey} /> {words.answered}
        </span>
        <span className={styles.key}>
          <span className={styles.unansweredKey} /> {words.notAnswered}
        </span>
        <span className={styles.pointed} aria-hidden="true">
          {shown &&
            `${formatDate(shown.date)}: ${shown.asked.toLocaleString()} asked, ${shown.unanswered.toLocaleString()} not answered`}
        </span>
      </figcaption>
      <div className={styles.plot} aria-hidden="true">
        {perDay.length > 0 && perDay.every(({ asked }) => asked === 0) && (
          <p className={styles.nothing}>{words.daysEmpty}</p>
        )}
        <div className={styles.scale}>
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
              {tick.toLocaleString()}
            </span>
          ))}
        </div>
        <svg
          className={styles.bars}
          aria-hidden="true"
          height={height}
          onPointerLeave={() => setPointed(null)}
          onPointerMove={({ clientX, currentTarget }) => {
            const box = currentTarget.getBoundingClientRect();
            const at = Math.floor(((clientX - box.left) / box.width) * perDay.length);
            setPointed(Math.min(perDay.length - 1, Math.max(0, at)));
          }}
        >
          <pattern id={hatching} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect className={styles.hatchGround} width="7" height="7" />
            <rect className={styles.hatchLine} width="2.5" height="7" />
          </pattern>
          {ticks.map((tick) => (
            <line
              key={tick}
              className={styles.line}
              x2="100%"
              y1={height - (tick / top) * height}
              y2={height - (tick / top) * height}
            />
          ))}
          {perDay.map(({ date, asked, unanswered }, i) => {
            const across = { x: `${i * step + (step - bar) / 2}%`, width: `${bar}%` };
            const [whole, missing] = [(asked / top) * height, (unanswered / top) * height];
            return (
              <g key={date} data-pointed={pointed === i || undefined} className={styles.day}>
                <rect className={styles.answered} {...across} y={height - whole} height={whole - missing} />
                <rect fill={`url(#${hatching})`} {...across} y={height - missing} height={missing} />
              </g>
            );
          })}
        </svg>
        <div className={styles.dates}>
          {labels.map(({ date, at }, i) => (
            <span key={date} style={placeOf(at, i, labels.length)}>
              {formatDate(date, { month: 'short', day: 'numeric' })}
            </span>
          ))}
        </div>
      </div>
      <VisuallyHidden as="div">
        <table>
          <caption>{words.questionsPerDay}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.asked}</th>
              <th scope="col">{words.notAnswered}</th>
            </tr>
          </thead>
          <tbody>
            {perDay.map(({ date, asked, unanswered }) => (
              <tr key={date}>
                <th scope="row">{formatDate(date)}</th>
                <td>{asked.toLocaleString()}</td>
                <td>{unanswered.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** Some of the days, evenly spread, the first and the last among them. `at`: 0 to 1. */
function labelled(dates: readonly string[]): { date: string; at: number }[] {
  const count = Math.min(dates.length, 5);
  return Array.from({ length: count }, (_, i) => {
    const index = count === 1 ? 0 : Math.round((i * (dates.length - 1)) / (count - 1));
    return { date: dates[index] ?? '', at: (index + 0.5) / dates.length };
  });
}

/** In the middle below its bar; the first and the last end with the picture. */
function placeOf(at: number, index: number, count: number): CSSProperties {
  if (count > 1 && index === 0) return { left: 0 };
  if (count > 1 && index === count - 1) return { right: 0 };
  return { left: `${at * 100}%`, transform: 'translateX(-50%)' };
}
