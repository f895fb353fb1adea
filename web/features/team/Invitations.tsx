import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { type Person, reloadTeam, resendInvitation, withdrawInvitation } from '#web/api/team.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Email } from '#web/ui/Email.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import { Section } from '#web/ui/Section.tsx';
import { expiryText, hasExpired, roleNames } from './people.ts';
import styles from './Team.module.css';
import { words } from './words.ts';

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
  const withdraw = useMutation({ ...withdrawInvitation, ...told(words.withdrawFailed) });
  const pending = resend.isPending || withdraw.isPending;

  const resendWord = ({ uid }: Person) =>
    resend.isPending && resend.variables.uid === uid ? texts.sending : words.resend;
  const columns = [
    {
      title: texts.email,
      cell: (person: Person) => (
        <>
          <div className={styles.email}>
            <Email>{person.email}</Email>
          </div>
          <div className={styles.state} data-bad={hasExpired(person) || undefined}>
            {expiryText(person)}
          </div>
        </>
      ),
    },
    { title: texts.role, width: '100px', cell: ({ role }: Person) => roleNames[role] },
    {
      title: words.sent,
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
            label={words.resendTo(resendWord(person), person.email)}
            pending={pending}
            onClick={() => resend.mutate(person)}
          >
            {resendWord(person)}
          </RowAction>
          <RowAction
            danger
            label={words.withdrawOf(person.email)}
            pending={pending}
            onClick={() => {
              setAsked(person);
              setOpen(true);
            }}
          >
            {words.withdraw}
          </RowAction>
        </RowActions>
      ),
    },
  ];
  if (invited.length === 0 && !open) return null;
  return (
    <Section heading={words.invitations}>
      <DataTable
        label={words.invitations}
        columns={columns}
        rows={invited}
        rowKey={uidOf}
        instead={words.nobodyInvited}
      />
      <Confirm
        opened={open}
        title={words.withdrawTitle}
        action={words.withdraw}
        onConfirm={() => {
          setOpen(false);
          if (asked && !pending) withdraw.mutate(asked);
        }}
        onCancel={() => setOpen(false)}
      >
        {asked && (
          <p>
            {words.withdrawBefore}{' '}
            <strong className={styles.email}>
              <Email>{asked.email}</Email>
            </strong>{' '}
            {words.withdrawAfter}
          </p>
        )}
      </Confirm>
    </Section>
  );
}

const uidOf = ({ uid }: Person) => uid;
