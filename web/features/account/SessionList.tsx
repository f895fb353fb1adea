import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type OpenSession, sessionsQuery } from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Account.module.css';

/** Where the person is signed in, this browser first, and how to end that elsewhere. */
export function SessionList({ outsideProvider }: { outsideProvider: boolean }) {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [asked, setAsked] = useState(false);
  const ending = useMutation({
    ...endSession,
    onSuccess: (_, { agent }) => showAlert('done', `Signed out: ${agent}.`),
    onError: (problem) => showAlert('problem', messageOf(problem, 'The session could not be ended.')),
  });
  const endingOthers = useMutation({
    ...endOtherSessions,
    onSuccess: () => showAlert('done', 'You are signed out everywhere else.'),
    onError: (problem) => showAlert('problem', messageOf(problem, 'The sessions could not be ended.')),
    onSettled: () => setAsked(false),
  });
  const sessions = [...(data ?? [])].sort((one, other) => Number(other.current) - Number(one.current));
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <Section
      heading="Where you are signed in"
      tool={
        others > 0 && (
          <Button look="plain" onClick={() => setAsked(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <p className={styles.lead}>
        If you do not know one of these, end it and change your password.
        {outsideProvider &&
          ' Your password is kept by another service: whoever uses it there, or in other programs, is not listed here.'}
      </p>
      {error && !data ? (
        <Notice kind="problem" action={{ label: 'Try again', run: () => void refetch() }}>
          {messageOf(error, 'The sessions could not be loaded.')}
        </Notice>
      ) : (
        <ul className={styles.list} aria-label="Sessions">
          {data === undefined && (
            <li>
              <EmptyState>Loading sessions...</EmptyState>
            </li>
          )}
          {sessions.map((session) => (
            <li key={session.sessionId} className={styles.row}>
              <SessionWords session={session} />
              {!session.current && (
                <Button
                  look="danger-quiet"
                  compact
                  aria-label={`Sign out ${session.agent}, ${session.address}`}
                  pending={ending.isPending && ending.variables.sessionId === session.sessionId}
                  onClick={() => ending.mutate(session)}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Confirm
        opened={asked}
        title="Sign out everywhere else?"
        action="Sign out everywhere else"
        pending={endingOthers.isPending}
        onConfirm={() => endingOthers.mutate()}
        onCancel={() => setAsked(false)}
      >
        <p>
          {others === 1 ? 'One other session ends' : `${others} other sessions end`} at once. You stay signed in here.
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
        {current && <span className={styles.badge}>This browser</span>}
      </p>
      <p className={styles.aside}>
        <bdi>{address}</bdi> · {current ? 'in use now' : `last used ${formatMoment(seenAt)}`} · signed in{' '}
        {formatMoment(createdAt)}
      </p>
    </div>
  );
}
