import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type OpenSession, sessionsQuery } from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Account.module.css';
import { words } from './words.ts';

/** Where the person is signed in, this browser first, and how to end that elsewhere. */
export function SessionList({ outsideProvider }: { outsideProvider: boolean }) {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [asked, setAsked] = useState(false);
  const ending = useMutation({
    ...endSession,
    onSuccess: (_, { agent }) => showAlert('done', words.signedOut(agent)),
    onError: (problem) => showAlert('problem', messageOf(problem, words.sessionNotEnded)),
  });
  const endingOthers = useMutation({
    ...endOtherSessions,
    onSuccess: () => showAlert('done', words.signedOutElsewhere),
    onError: (problem) => showAlert('problem', messageOf(problem, words.sessionsNotEnded)),
    onSettled: () => setAsked(false),
  });
  const sessions = [...(data ?? [])].sort((one, other) => Number(other.current) - Number(one.current));
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <Section
      heading={words.whereSignedIn}
      tool={
        others > 0 && (
          <Button look="plain" onClick={() => setAsked(true)}>
            {words.signOutElsewhere}
          </Button>
        )
      }
    >
      <p className={styles.lead}>
        {words.endUnknown}
        {outsideProvider && words.outsidePassword}
      </p>
      {error && !data ? (
        <LoadFailed retry={refetch}>{messageOf(error, words.sessionsNotLoaded)}</LoadFailed>
      ) : (
        <ul className={styles.list} aria-label={words.sessions}>
          {data === undefined && (
            <li className={styles.row}>
              <Skeleton label={words.loadingSessions} lines={2} />
            </li>
          )}
          {sessions.map((session) => (
            <li key={session.sessionId} className={styles.row}>
              <SessionWords session={session} />
              {!session.current && (
                <Button
                  look="danger-quiet"
                  compact
                  aria-label={words.signOutOf(session.agent, session.address)}
                  pending={ending.isPending && ending.variables.sessionId === session.sessionId}
                  onClick={() => ending.mutate(session)}
                >
                  {words.signOut}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Confirm
        opened={asked}
        title={words.signOutElsewhereTitle}
        action={words.signOutElsewhere}
        pending={endingOthers.isPending}
        onConfirm={() => endingOthers.mutate()}
        onCancel={() => setAsked(false)}
      >
        <p>
          {others === 1 ? words.oneSessionEnds : words.sessionsEnd(others)} {words.stayHere}
        </p>
      </Confirm>
    </Section>
  );
}

function SessionWords({ session: { current, agent, address, createdAt, seenAt } }: { session: OpenSession }) {
  return (
    <div className={styles.words}>
      <p className={styles.name}>
        {agent.charAt(0).toLocaleUpperCase() + agent.slice(1)}
        {current && <span className={styles.badge}>{words.thisBrowser}</span>}
      </p>
      <p className={styles.aside}>
        <bdi>{address}</bdi> · {current ? words.inUse : words.lastUsed(formatMoment(seenAt))} {words.signedIn}{' '}
        {formatMoment(createdAt)}
      </p>
    </div>
  );
}
