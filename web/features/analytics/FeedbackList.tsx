import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type AnalyticsRange, type Feedback, feedbackQuery } from '#web/api/analytics.ts';
import { formatMoment } from '#web/lib/format.ts';
import { Button } from '#web/ui/Button.tsx';
import control from '#web/ui/control.module.css';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Analytics.module.css';
import { withoutQuoteMarks } from './quoted.ts';
import { words } from './words.ts';

/** Ratings with their reasons, the answer beside each. */
export function FeedbackList({ range }: { range: AnalyticsRange }) {
  const [rating, setRating] = useState<Feedback['rating'] | undefined>();
  const [turned, setTurned] = useState<{ to: string[]; of: string }>({ to: [], of: '' });
  const wanted = { ...range, ...(rating && { rating }) };
  // Pages are those of one list: another range or rating is read from its beginning.
  const of = JSON.stringify(wanted);
  const cursors = turned.of === of ? turned.to : [];
  const turn = (to: string[]) => setTurned({ to, of });
  const cursor = cursors.at(-1);
  const { data, isError, isPlaceholderData, refetch } = useQuery(
    feedbackQuery({ ...wanted, ...(cursor !== undefined && { cursor }) }),
  );
  if (isError && !data) return <LoadFailed retry={refetch}>{words.ratingsNotLoaded}</LoadFailed>;
  const next = data?.next;
  return (
    <>
      <select
        className={`${control.field} ${styles.select}`}
        aria-label={words.ratings}
        value={rating ?? ''}
        onChange={({ target: { value } }) => setRating(value === 'up' || value === 'down' ? value : undefined)}
      >
        <option value="">{words.allRatings}</option>
        <option value="down">{words.notHelpful}</option>
        <option value="up">{words.helpful}</option>
      </select>
      {data?.feedback.length ? (
        <ul className={styles.feedback} aria-label={words.ratingsOfAnswers}>
          {data.feedback.map((each) => (
            <li key={each.queryId}>
              <Rated {...each} />
            </li>
          ))}
        </ul>
      ) : data ? (
        <EmptyState>{words.ratingsEmpty}</EmptyState>
      ) : (
        <Skeleton label={messages.common.loading} lines={6} />
      )}
      {(next !== undefined || cursors.length > 0) && (
        <div className={styles.pages}>
          <Button compact look="plain" disabled={cursors.length === 0} onClick={() => turn(cursors.slice(0, -1))}>
            {words.newer}
          </Button>
          <Button
            compact
            look="plain"
            disabled={next === undefined}
            // What comes after the page of before is on its way already.
            onClick={() => next !== undefined && !isPlaceholderData && turn([...cursors, next])}
          >
            {words.older}
          </Button>
        </div>
      )}
    </>
  );
}

function Rated({ rating, reason, question, answer, askedAt, person }: Feedback) {
  return (
    <>
      <div className={styles.rated}>
        <p className={styles.verdict} data-good={rating === 'up' || undefined}>
          {rating === 'up' ? words.helpful : words.notHelpful}
        </p>
        {reason && (
          <p className={styles.reason}>
            <bdi>{reason}</bdi>
          </p>
        )}
        <p className={styles.when}>
          {person !== undefined && (
            <>
              <bdi>{person}</bdi>,{' '}
            </>
          )}
          {formatMoment(askedAt)}
        </p>
      </div>
      <div className={styles.answered}>
        <p className={styles.question}>
          <bdi>{question}</bdi>
        </p>
        <p className={styles.answer}>
          <bdi>{withoutQuoteMarks(answer)}</bdi>
        </p>
      </div>
    </>
  );
}
