import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type Person, teamQuery } from '#web/api/team.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { RowActions } from '#web/ui/RowActions.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import { InviteForm } from './InviteForm.tsx';
import { hasExpired, invitationText, roleNames } from './people.ts';
import { RemoveButton, useRemoval } from './Removal.tsx';
import styles from './Team.module.css';

const texts = messages.team;

/** The dashboard's section: invite, find and remove people. */
export function TeamSection() {
  const { data: people = [], isPending } = useQuery(teamQuery);
  const removal = useRemoval();
  const [filter, setFilter] = useState('');
  const rows = matching(people, useDeferredValue(filter));
  const columns = [
    { title: texts.email, cell: (person: Person) => <PersonCell person={person} me={removal.me} /> },
    { title: texts.role, width: '22%', cell: ({ role }: Person) => roleNames[role] },
    {
      title: texts.actions,
      width: '96px',
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
      <InviteForm />
      <DataTable
        label={texts.heading}
        columns={columns}
        rows={rows}
        rowKey={({ uid }) => uid}
        instead={isPending ? texts.loading : 'Nobody has this in their email.'}
      />
      {removal.dialog}
    </Section>
  );
}

/** Those with the words in their e-mail, in any case. */
export function matching(people: readonly Person[], words: string): readonly Person[] {
  const wanted = words.trim().toLocaleLowerCase();
  return wanted === '' ? people : people.filter(({ email }) => email.toLocaleLowerCase().includes(wanted));
}

/** A person's e-mail, and below it who it is or where the invitation stands. */
export function PersonCell({ person, me }: { person: Person; me: string | null }) {
  return (
    <>
      <div className={styles.email}>{person.email}</div>
      <div className={styles.state} data-bad={hasExpired(person) || undefined}>
        {person.uid === me ? 'You' : invitationText(person)}
      </div>
    </>
  );
}
