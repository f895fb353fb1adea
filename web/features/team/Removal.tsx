import { useMutation, useMutationState } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { isSignedOut, messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { useSession } from '#web/api/session.ts';
import { type Person, reloadTeam, removePerson } from '#web/api/team.ts';
import { tellAtLogin } from '#web/lib/login-message.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Email } from '#web/ui/Email.tsx';
import { RowAction } from '#web/ui/RowActions.tsx';
import styles from './Team.module.css';
import { words } from './words.ts';

const texts = messages.team;

/** Removing people: the question for a table, and what each row shows of it. */
export function useRemoval() {
  const session = useSession();
  const me = session.state === 'signed-in' ? session.session.user.uid : null;
  const [asked, setAsked] = useState<Person | null>(null);
  const [open, setOpen] = useState(false);
  const removal = useMutation({
    ...removePerson,
    onSuccess: () => showAlert('done', texts.removed),
    onError: (error) => {
      if (isCancelled(error)) return;
      if (isSignedOut(error)) return tellAtLogin(texts.removeSignedOut);
      const why = messageOf(error, '');
      showAlert('problem', why === '' ? texts.removeFailed : texts.removeFailedWith(why));
    },
    onSettled: () => void reloadTeam(),
  });
  const leaving = useMutationState({
    filters: { mutationKey: removePerson.mutationKey, status: 'pending' },
    select: ({ state: { variables } }) =>
      typeof variables === 'object' && variables !== null && 'uid' in variables ? variables.uid : null,
  });

  const remove = () => {
    if (!asked || !open) return;
    setOpen(false);
    if (me === null) return tellAtLogin(texts.removeSignedOut);
    removal.mutate(asked);
  };

  return {
    me,
    leaving,
    ask: (person: Person) => {
      setAsked(person);
      setOpen(true);
    },
    dialog: (
      <Confirm
        opened={open}
        title={words.removeTitle}
        action={words.remove}
        onConfirm={remove}
        onCancel={() => setOpen(false)}
      >
        {asked && (
          <p>
            <strong className={styles.email}>
              <Email>{asked.email}</Email>
            </strong>{' '}
            {asked.state === 'active' ? words.removeActive : words.removeInvited}
          </p>
        )}
      </Confirm>
    ),
  };
}

/** The action in a person's row; one's own is off. */
export function RemoveButton({ person, removal }: { person: Person; removal: ReturnType<typeof useRemoval> }) {
  const own = person.uid === removal.me;
  const isLeaving = removal.leaving.includes(person.uid);
  const word = isLeaving ? words.removing : words.remove;
  return (
    <RowAction
      danger
      label={`${word} ${person.email}`}
      title={own ? words.notYourself : undefined}
      disabled={own}
      pending={isLeaving}
      onClick={() => removal.ask(person)}
    >
      {word}
    </RowAction>
  );
}
