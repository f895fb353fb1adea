import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { type Person, reloadTeam, setRole } from '#web/api/team.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { RowActions } from '#web/ui/RowActions.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import { useTeamTools } from './plan.tsx';
import { RemoveButton, useRemoval } from './Removal.tsx';
import { RoleSelect } from './RoleSelect.tsx';
import styles from './Team.module.css';
import { matching, PersonCell } from './TeamSection.tsx';

const texts = messages.team;

/** The people of the company with their roles. */
export function PeopleTable({ people, loading }: { people: readonly Person[]; loading: boolean }) {
  const { unlocked } = useTeamTools();
  const removal = useRemoval();
  const [filter, setFilter] = useState('');
  const [leavingRole, setLeavingRole] = useState<Person | null>(null);
  const change = useMutation({
    ...setRole,
    onSuccess: ({ message }) => showAlert('done', message),
    onError: (error, { person }) => {
      if (error instanceof AppError && error.code === 'cancelled') return;
      const text = messageOf(error, 'The role could not be changed. Please try again.');
      showAlert('problem', text, <bdi>{person.email}</bdi>);
    },
    onSettled: () => void reloadTeam(),
  });
  const changing = change.isPending ? change.variables : null;

  const choose = (person: Person, role: Person['role']) => {
    // Whoever gives up the role can't take it back.
    if (person.uid === removal.me && role === 'member') setLeavingRole(person);
    else if (!changing) change.mutate({ person, role });
  };

  const columns = [
    { title: texts.email, cell: (person: Person) => <PersonCell person={person} me={removal.me} /> },
    {
      title: texts.role,
      width: '136px',
      cell: (person: Person) => (
        <RoleSelect
          label={`Role of ${person.email}`}
          value={changing?.person.uid === person.uid ? changing.role : person.role}
          pending={changing?.person.uid === person.uid}
          onChange={(role) => choose(person, role)}
        />
      ),
    },
    ...(unlocked ? [{ title: 'Last sign-in', width: '148px', cell: LastSignIn }] : []),
    {
      title: texts.actions,
      width: '100px',
      end: true,
      cell: (person: Person) => (
        <RowActions>
          <RemoveButton person={person} removal={removal} />
        </RowActions>
      ),
    },
  ];
  return (
    <Section heading={texts.heading} tool={<Filter label={texts.search} value={filter} onChange={setFilter} />}>
      <DataTable
        label={texts.heading}
        columns={columns}
        rows={matching(people, useDeferredValue(filter))}
        rowKey={({ uid }) => uid}
        instead={loading ? texts.loading : 'Nobody has this in their email.'}
      />
      {removal.dialog}
      <Confirm
        opened={leavingRole !== null}
        title="Give up your admin role?"
        action="Become a member"
        onConfirm={() => {
          setLeavingRole(null);
          if (leavingRole && !changing) change.mutate({ person: leavingRole, role: 'member' });
        }}
        onCancel={() => setLeavingRole(null)}
      >
        You will no longer reach this page. Only another admin can make you an admin again.
      </Confirm>
    </Section>
  );
}

function LastSignIn({ lastSignInAt }: Person) {
  return <span className={styles.when}>{lastSignInAt === undefined ? 'Never' : formatMoment(lastSignInAt)}</span>;
}
