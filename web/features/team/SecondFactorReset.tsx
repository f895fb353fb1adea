import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { type Person, reloadTeam, resetSecondFactor } from '#web/api/team.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import styles from './Team.module.css';

/** Who has a second factor, and the way out for who has lost it; one's own is changed in the account. */
export function SecondFactorReset({ person, isMe }: { person: Person; isMe: boolean }) {
  const [asked, setAsked] = useState(false);
  const reset = useMutation({
    ...resetSecondFactor,
    onSuccess: ({ message }) => showAlert('done', message),
    onError: (error) => {
      if (error instanceof AppError && error.code === 'cancelled') return;
      showAlert('problem', messageOf(error, 'The second factor could not be reset.'), <bdi>{person.email}</bdi>);
    },
    onSettled: () => void reloadTeam(),
  });
  if (!person.hasSecondFactor) return null;
  return (
    <div className={styles.state}>
      Second factor{' '}
      {!isMe && (
        <TextButton onClick={() => setAsked(true)} aria-label={`Reset the second factor of ${person.email}`}>
          Reset
        </TextButton>
      )}
      <Confirm
        opened={asked}
        title="Reset the second factor?"
        action="Reset"
        onConfirm={() => {
          setAsked(false);
          if (!reset.isPending) reset.mutate(person);
        }}
        onCancel={() => setAsked(false)}
      >
        <p>
          <strong className={styles.email}>{person.email}</strong> is signed out everywhere, and signs in with the
          password alone until a new second factor is set up. They are told by mail. Make sure that it is really them
          who asks.
        </p>
      </Confirm>
    </div>
  );
}
