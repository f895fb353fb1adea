import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type Delivery, resendDelivery, webhookLogQuery } from '#web/api/webhooks.ts';
import styles from '#web/features/account/Account.module.css';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import own from './Webhooks.module.css';
import { words } from './words.ts';

/** What was sent to a webhook, page by page. */
export function WebhookLog({ webhookId, mayResend }: { webhookId: string; mayResend: boolean }) {
  const [cursor, setCursor] = useState<string>();
  const { data, error, refetch } = useQuery(webhookLogQuery(webhookId, cursor));
  const resending = useMutation({
    ...resendDelivery,
    onError: (problem) => showAlert('problem', messageOf(problem, words.notAgain)),
  });
  if (error && !data) return <LoadFailed retry={refetch}>{messageOf(error, words.logNotLoaded)}</LoadFailed>;
  const deliveries = data?.deliveries ?? [];
  return (
    <div className={own.log}>
      <h3>{words.log}</h3>
      <p className={styles.lead}>{words.logLead}</p>
      <ul className={styles.list} aria-label={words.log}>
        {deliveries.length === 0 && (
          <li className={data ? undefined : styles.row}>
            {data ? <EmptyState inset>{words.logNone}</EmptyState> : <Skeleton label={words.loading} lines={2} />}
          </li>
        )}
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId} className={styles.row}>
            <DeliveryWords delivery={delivery} />
            {mayResend && delivery.state !== 'waiting' && (
              <Button
                look="plain"
                compact
                pending={resending.isPending}
                aria-label={words.againOf(delivery.type, formatMoment(delivery.at))}
                onClick={() => resending.mutate({ webhookId, deliveryId: delivery.deliveryId })}
              >
                {words.again}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(cursor !== undefined || data?.next !== undefined) && (
        <div className={styles.actions}>
          {cursor !== undefined && (
            <Button look="plain" onClick={() => setCursor(undefined)}>
              {words.newest}
            </Button>
          )}
          {data?.next !== undefined && (
            <Button look="plain" onClick={() => setCursor(data.next)}>
              {words.older}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function DeliveryWords({ delivery }: { delivery: Delivery }) {
  const { type, at, state, attempts, nextAt, body } = delivery;
  const isSending = state === 'waiting' && nextAt === undefined;
  return (
    <div className={`${styles.words} ${own.delivery}`}>
      <p className={styles.name}>
        <code>{type}</code>
        <span className={styles.badge} data-state={state}>
          {isSending ? words.sending : words.state[state]}
        </span>
      </p>
      <p className={styles.aside}>
        {formatMoment(at)}
        {nextAt && <>. {words.nextTry(formatMoment(nextAt))}</>}
      </p>
      {attempts.length > 0 && (
        <ul className={own.attempts} aria-label={words.attempts}>
          {attempts.map((attempt) => (
            <li key={attempt.at}>
              {formatMoment(attempt.at)}: {outcomeOf(attempt)}, {words.took(attempt.durationMs)}
            </li>
          ))}
        </ul>
      )}
      {body !== undefined && (
        <details className={own.body}>
          <summary>{words.body}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get into it */}
          <pre tabIndex={0}>{indented(body)}</pre>
        </details>
      )}
    </div>
  );
}

function outcomeOf({ status, error }: Delivery['attempts'][number]): string {
  if (status !== undefined) return words.answered(status);
  return words.errors[error ?? ''] ?? error ?? '';
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
