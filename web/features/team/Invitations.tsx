import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { type Person, reloadTeam, resendInvitation, withdrawInvitation } from '#web/api/team.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import { Section } from '#web/ui/Section.tsx';
import { expiryText, hasExpired, roleNames } from './people.ts';
import styles from './Team.module.css';

const texts = messages.team;

/** Invitations that nobody has accepted yet: until when they hold, sent again or withdrawn. */
export function Invitations({ invited }: { invited: readonly Person[] }) {
  const [asked, setAsked] = useState<Person | null>(null);
  const [open, setOpen] = useState(false);
  const told = (failed: string) => ({
    onSuccess: ({ message }: { message: string }) => showAlert('done', message),
    onError: (error: Error, { email }: Person) => showAlert('problem', messageOf(error, failed), <bdi>{email}</bdi>),
    onSettled: () => void reloadTeam(),
  });
  const resend = useMutation({ ...resendInvitation, ...told(texts.inviteFailed) });
  const withdraw = useMutation({ ...withdrawInvitation, ...told('The invitation could not be withdrawn.') });
  const pending = resend.isPending || withdraw.isPending;

  const resendWord = ({ uid }: Person) => (resend.isPending && resend.variables.uid === uid ? texts.sending : 'Resend');
  const columns = [
    {
      title: texts.email,
      cell: (person: Person) => (
        <>
          <div className={styles.email}>{person.email}</div>
          <div className={styles.state} data-bad={hasExpired(person) || undefined}>
            {expiryText(person)}
          </div>
        </>
      ),
    },
    { title: texts.role, width: '100px', cell: ({ role }: Person) => roleNames[role] },
    {
      title: 'Sent',
      width: '148px',
      cell: ({ invitedAt }: Person) => <span className={styles.when}>{invitedAt ? formatMoment(invitedAt) : '–'}</span>,
    },
    {
      title: texts.actions,
      width: '170px',
      end: true,
      cell: (person: Person) => (
        <RowActions>
          <RowAction
            label={`${resendWord(person)} the invitation of ${person.email}`}
            pending={pending}
            onClick={() => resend.mutate(person)}
          >
            {resendWord(person)}
          </RowAction>
          <RowAction
            danger
            label={`Withdraw the invitation of ${person.email}`}
            pending={pending}
            onClick={() => {
              setAsked(person);
              setOpen(true);
            }}
          >
            Withdraw
          </RowAction>
        </RowActions>
      ),
    },
  ];
  if (invited.length === 0 && !open) return null;
  return (
    <Section heading="Invitations">
      <DataTable label="Invitations" columns={columns} rows={invited} rowKey={uidOf} instead="Nobody is invited." />
      <Confirm
        opened={open}
        title="Withdraw this invitation?"
        action="Withdraw"
        onConfirm={() => {
          setOpen(false);
          if (asked && !pending) withdraw.mutate(asked);
        }}
        onCancel={() => setOpen(false)}
      >
        {asked && (
          <p>
            The link that was sent to <strong className={styles.email}>{asked.email}</strong> will not work any more,
            and its seat is free again.
          </p>
        )}
      </Confirm>
    </Section>
  );
}

const uidOf = ({ uid }: Person) => uid;
