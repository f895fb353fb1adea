import type { Webhook } from '#web/api/webhooks.ts';
import styles from '#web/features/account/Account.module.css';
import { formatMoment } from '#web/lib/format.ts';
import { words } from './words.ts';

/** Where a webhook leads, of what it is told, and how it does. */
export function WebhookWords({ hook }: { hook: Webhook }) {
  const { url, events, collectionIds, off, failingSince, waiting, bothSecretsUntil } = hook;
  const state = off ? words.off : failingSince && words.failing;
  const told = [
    words.count(events.length),
    ...(collectionIds ? [words.within(collectionIds.length)] : []),
    ...(waiting > 0 ? [words.waiting(waiting)] : []),
  ];
  return (
    <div className={styles.words}>
      <p className={styles.name}>
        <bdi>{url}</bdi>
        {state && <span className={styles.badge}>{state}</span>}
      </p>
      <p className={styles.aside}>{told.join(' · ')}</p>
      {off && (
        <p className={styles.aside}>
          {words.offBecause[off.reason]} ({formatMoment(off.at)}).
        </p>
      )}
      {!off && failingSince && <p className={styles.aside}>{words.failingSince(formatMoment(failingSince))}</p>}
      {bothSecretsUntil && <p className={styles.aside}>{words.bothSign(formatMoment(bothSecretsUntil))}</p>}
    </div>
  );
}
