import type { ReactNode } from 'react';
import type { Analytics } from '#web/api/analytics.ts';
import styles from './Analytics.module.css';
import { changeText, formatMs } from './change.ts';
import { words } from './words.ts';

/** The figures of the range, each with its change to as many days before. */
export function Numbers({ data, dayCount }: { data: Analytics | undefined; dayCount: number }) {
  const before = data?.before;
  const of = (count: number, all: number) =>
    all === 0 ? null : words.ofAll((count / all).toLocaleString(undefined, { style: 'percent' }));
  return (
    <>
      <dl className={styles.numbers}>
        <Figure title={words.questions} now={data?.asked} before={before?.asked} />
        <Figure title={words.answered} now={data?.answered} before={before?.answered}>
          {data && of(data.answered, data.asked)}
        </Figure>
        <Figure title={words.notAnswered} now={data?.unanswered} before={before?.unanswered}>
          {data && of(data.unanswered, data.asked)}
        </Figure>
        <Figure title={words.peopleWhoAsked} now={data?.people} before={before?.people} />
        <Figure title={words.helpful} now={data?.feedback.helpful} before={before?.feedback.helpful} />
        <Figure title={words.notHelpful} now={data?.feedback.notHelpful} before={before?.feedback.notHelpful} />
      </dl>
      <p className={styles.compared}>
        {dayCount === 1 ? words.comparedDay : words.comparedDays(dayCount)}
        {data?.speed && words.speed(formatMs(data.speed.medianMs), formatMs(data.speed.p95Ms))}
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
