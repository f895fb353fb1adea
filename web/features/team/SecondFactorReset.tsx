import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { type Person, reloadTeam, resetSecondFactor } from '#web/api/team.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Email } from '#web/ui/Email.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import styles from './Team.module.css';
import { words } from './words.ts';

/** Who has a second factor, and the way out for who has lost it; one's own is changed in the account. */
export function SecondFactorReset({ person, isMe }: { person: Person; isMe: boolean }) {
  const [asked, setAsked] = useState(false);
  const reset = useMutation({
    ...resetSecondFactor,
    onSuccess: ({ message }) => showAlert('done', message),
    onError: (error) => {
      if (isCancelled(error)) return;
      showAlert('problem', messageOf(error, words.resetFailed), <bdi>{person.email}</bdi>);
    },
    onSettled: () => void reloadTeam(),
  });
  if (!person.hasSecondFactor) return null;
  return (
    <div className={styles.state}>
      {words.secondFactor}{' '}
      {!isMe && (
        <TextButton onClick={() => setAsked(true)} aria-label={words.resetOf(person.email)}>
          {words.reset}
        </TextButton>
      )}
      <Confirm
        opened={asked}
        title={words.resetTitle}
        action={words.reset}
        onConfirm={() => {
          setAsked(false);
          if (!reset.isPending) reset.mutate(person);
        }}
        onCancel={() => setAsked(false)}
      >
        <p>
          <strong className={styles.email}>
            <Email>{person.email}</Email>
          </strong>{' '}
          {words.resetText}
        </p>
      </Confirm>
    </div>
  );
}
