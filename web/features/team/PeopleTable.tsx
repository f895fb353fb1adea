import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { useSession } from '#web/api/session.ts';
import { type Person, reloadTeam, setRole } from '#web/api/team.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { PeopleList } from './PeopleList.tsx';
import { useTeamTools } from './plan.tsx';
import { RoleSelect } from './RoleSelect.tsx';
import { SecondFactorReset } from './SecondFactorReset.tsx';
import styles from './Team.module.css';
import { words } from './words.ts';

const texts = messages.team;

/** The people of the company with their roles. */
export function PeopleTable({ people, loading }: { people: readonly Person[]; loading: boolean }) {
  const { unlocked } = useTeamTools();
  const session = useSession();
  const me = session.state === 'signed-in' ? session.session.user.uid : null;
  const [leavingRole, setLeavingRole] = useState<Person | null>(null);
  const change = useMutation({
    ...setRole,
    onSuccess: ({ message }) => showAlert('done', message),
    onError: (error, { person }) => {
      if (isCancelled(error)) return;
      const text = messageOf(error, words.roleNotChanged);
      showAlert('problem', text, <bdi>{person.email}</bdi>);
    },
    onSettled: () => void reloadTeam(),
  });
  const changing = change.isPending ? change.variables : null;

  const choose = (person: Person, role: Person['role']) => {
    // Whoever gives up the role can't take it back.
    if (person.uid === me && role === 'member') setLeavingRole(person);
    else if (!changing) change.mutate({ person, role });
  };

  const columns = [
    {
      title: texts.role,
      width: '136px',
      cell: (person: Person) => (
        <RoleSelect
          label={words.roleOf(person.email)}
          value={changing?.person.uid === person.uid ? changing.role : person.role}
          pending={changing?.person.uid === person.uid}
          onChange={(role) => choose(person, role)}
        />
      ),
    },
    ...(unlocked ? [{ title: words.lastSignIn, width: '148px', cell: LastSignIn }] : []),
  ];
  return (
    <PeopleList
      people={people}
      loading={loading}
      columns={columns}
      actionsWidth="100px"
      about={(person, isMe) => <SecondFactorReset person={person} isMe={isMe} />}
    >
      <Confirm
        opened={leavingRole !== null}
        title={words.leaveRoleTitle}
        action={words.leaveRole}
        onConfirm={() => {
          setLeavingRole(null);
          if (leavingRole && !changing) change.mutate({ person: leavingRole, role: 'member' });
        }}
        onCancel={() => setLeavingRole(null)}
      >
        {words.leaveRoleText}
      </Confirm>
    </PeopleList>
  );
}

function LastSignIn({ lastSignInAt }: Person) {
  return <span className={styles.when}>{lastSignInAt === undefined ? words.never : formatMoment(lastSignInAt)}</span>;
}
