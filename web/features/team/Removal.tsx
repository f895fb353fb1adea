import { useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { call, isSignedOut, messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { dropPerson, type Person, reloadTeam } from '#web/api/team.ts';
import { tellAtLogin } from '#web/lib/login-message.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { RowAction } from '#web/ui/RowActions.tsx';
import styles from './Team.module.css';

const texts = messages.team;

/** Removing people: the question for a table, and what each row shows of it. */
export function useRemoval() {
  const session = useSession();
  const me = session.state === 'signed-in' ? session.session.user.uid : null;
  const [asked, setAsked] = useState<Person | null>(null);
  const [open, setOpen] = useState(false);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());

  const remove = async () => {
    if (!asked || !open) return;
    setOpen(false);
    if (me === null) return tellAtLogin(texts.removeSignedOut);
    const { uid } = asked;
    setLeaving((before) => new Set(before).add(uid));
    try {
      await call('deleteUser', { userIdToDelete: uid });
      dropPerson(uid);
      showAlert('done', texts.removed);
    } catch (error) {
      if (error instanceof AppError && error.code === 'cancelled') return;
      if (isSignedOut(error)) return tellAtLogin(texts.removeSignedOut);
      const why = messageOf(error, '');
      showAlert('problem', why === '' ? texts.removeFailed : texts.removeFailedWith(why));
    } finally {
      setLeaving((before) => new Set([...before].filter((each) => each !== uid)));
      void reloadTeam();
    }
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
        title="Remove this person?"
        action="Remove"
        onConfirm={() => void remove()}
        onCancel={() => setOpen(false)}
      >
        {asked && (
          <p>
            <strong className={styles.email}>{asked.email}</strong>{' '}
            {asked.state === 'active'
              ? 'loses access at once. This is permanent: they can come back only by a new invitation.'
              : 'will not be able to use the invitation any more. This is permanent.'}
          </p>
        )}
      </Confirm>
    ),
  };
}

/** The action in a person's row; one's own is off. */
export function RemoveButton({ person, removal }: { person: Person; removal: ReturnType<typeof useRemoval> }) {
  const own = person.uid === removal.me;
  const busy = removal.leaving.has(person.uid);
  const word = busy ? 'Removing…' : 'Remove';
  return (
    <RowAction
      danger
      label={`${word} ${person.email}`}
      title={own ? 'You cannot remove yourself' : undefined}
      disabled={own}
      pending={busy}
      onClick={() => removal.ask(person)}
    >
      {word}
    </RowAction>
  );
}
