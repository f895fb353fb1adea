import type { ReactNode } from 'react';
import type { Analytics } from '#web/api/analytics.ts';
import styles from './Analytics.module.css';
import { changeText, formatMs } from './change.ts';

/** The figures of the range, each with its change to as many days before. */
export function Numbers({ data, dayCount }: { data: Analytics | undefined; dayCount: number }) {
  const before = data?.before;
  const of = (count: number, all: number) =>
    all === 0 ? null : `${(count / all).toLocaleString(undefined, { style: 'percent' })} of all`;
  return (
    <>
      <dl className={styles.numbers}>
        <Figure title="Questions" now={data?.asked} before={before?.asked} />
        <Figure title="Answered" now={data?.answered} before={before?.answered}>
          {data && of(data.answered, data.asked)}
        </Figure>
        <Figure title="Not answered" now={data?.unanswered} before={before?.unanswered}>
          {data && of(data.unanswered, data.asked)}
        </Figure>
        <Figure title="People who asked" now={data?.people} before={before?.people} />
        <Figure title="Helpful" now={data?.feedback.helpful} before={before?.feedback.helpful} />
        <Figure title="Not helpful" now={data?.feedback.notHelpful} before={before?.feedback.notHelpful} />
      </dl>
      <p className={styles.compared}>
        {dayCount === 1
          ? 'Compared with the day before.'
          : `Compared with the ${dayCount.toLocaleString()} days before.`}
        {data?.speed &&
          ` Half of the answers came within ${formatMs(data.speed.medianMs)}, 95 of 100 within ${formatMs(data.speed.p95Ms)}.`}
      </p>
    </>
  );
}

interface FigureProps {
  title: string;
  /** Absent: not known yet; its room is kept. */
  now: number | undefined;
  before: number | undefined;
  children?: ReactNode;
}

function Figure({ title, now, before, children }: FigureProps) {
  const change = now === undefined || before === undefined ? null : changeText(now, before);
  return (
    <div className={styles.figure}>
      <dt>{title}</dt>
      <dd>
        <span className={styles.value}>{now === undefined ? '…' : now.toLocaleString()}</span>
        <span className={styles.change}>{change ?? '\u00a0'}</span>
        <span className={styles.change}>{children ?? '\u00a0'}</span>
      </dd>
    </div>
  );
}
