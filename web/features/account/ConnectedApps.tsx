import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type ConnectedApp, connectedAppsQuery, disconnectApp } from '#web/api/connected-apps.ts';
import { useSession } from '#web/api/session.ts';
import { formatDay, formatMoment } from '#web/lib/format.ts';
import { planNameWith } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Account.module.css';
import { words } from './app-words.ts';

/** The apps that the person has let read, and how to end that. */
export function ConnectedApps() {
  const session = useSession();
  const { data, error, refetch } = useQuery(connectedAppsQuery);
  const [asked, setAsked] = useState<ConnectedApp | null>(null);
  const ending = useMutation({
    ...disconnectApp,
    onSuccess: (_, { name }) => showAlert('done', words.disconnected(name)),
    onError: (problem) => showAlert('problem', messageOf(problem, words.notDisconnected)),
    onSettled: () => setAsked(null),
  });
  const isLocked = session.state === 'signed-in' && !session.session.entitlements.features.includes('api-keys');
  return (
    <Section heading={words.apps}>
      <p className={styles.lead}>
        {words.appsLead} <a href="/developers">{words.howTo}</a>
      </p>
      {isLocked && (
        <Locked>
          {words.lockedBefore} {planNameWith('api-keys')} {words.lockedAfter} {data?.length ? words.lockedList : ''}
        </Locked>
      )}
      {error && !data ? (
        <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>
      ) : (
        <ul className={styles.list} aria-label={words.apps}>
          {!data?.length && (
            <li className={data ? undefined : styles.row}>
              {data ? <EmptyState inset>{words.none}</EmptyState> : <Skeleton label={words.loading} lines={2} />}
            </li>
          )}
          {data?.map((app) => (
            <li key={app.appId} className={styles.row}>
              <AppWords app={app} />
              <Button
                look="danger-quiet"
                compact
                aria-label={words.disconnectOf(app.name)}
                onClick={() => setAsked(app)}
              >
                {words.disconnect}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Confirm
        opened={asked !== null}
        title={words.disconnectTitle}
        action={words.disconnect}
        pending={ending.isPending}
        onConfirm={() => asked && ending.mutate(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>
          <strong>{asked?.name}</strong> {words.stopsAtOnce}
        </p>
      </Confirm>
    </Section>
  );
}

function AppWords({ app: { name, address, connectedAt, lastUsedAt } }: { app: ConnectedApp }) {
  return (
    <div className={styles.words}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <p className={styles.aside}>
        <bdi>{address}</bdi>
      </p>
      <p className={styles.aside}>
        {words.since(formatDay(connectedAt))} {lastUsedAt ? words.lastUsed(formatMoment(lastUsedAt)) : words.neverUsed}
      </p>
    </div>
  );
}
