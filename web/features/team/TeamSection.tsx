import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOutput } from '#contract/calls.ts';
import { messages } from '#contract/messages.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import styles from './Team.module.css';

type Person = CallOutput<'listUsers'>[number];

const texts = messages.team;
const roleNames: Record<Person['role'], string> = { admin: messages.chat.admin, member: messages.chat.member };

/** Everyone in the company. */
export function useTeam() {
  return useQuery({ queryKey: ['team'], queryFn: ({ signal }) => call('listUsers', null, { signal }) });
}

export function TeamSection() {
  const { data: people, isPending } = useTeam();
  const session = useSession();
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLocaleLowerCase();
  const me = session.state === 'signed-in' ? session.session.user.uid : null;
  const rows = (people ?? []).filter(({ email }) => email.toLocaleLowerCase().includes(wanted));
  const columns = [
    {
      title: texts.email,
      cell: (person: Person) => (
        <>
          <div className={styles.email}>{person.email}</div>
          <div className={styles.state}>{person.uid === me ? 'You' : stateText(person)}</div>
        </>
      ),
    },
    { title: texts.role, width: '22%', cell: ({ role }: Person) => roleNames[role] },
    { title: texts.actions, width: '80px', end: true, cell: () => null },
  ];
  return (
    <Section heading={texts.heading} tool={<Filter label={texts.search} value={filter} onChange={setFilter} />}>
      <DataTable
        label={texts.heading}
        columns={columns}
        rows={rows}
        rowKey={({ uid }) => uid}
        instead={isPending ? texts.loading : 'Nobody has this in their email.'}
      />
    </Section>
  );
}

function stateText({ state }: Person): string | null {
  if (state === 'invited') return 'Invited';
  return state === 'expired' ? 'Invitation expired' : null;
}
