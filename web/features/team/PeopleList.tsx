import { type ReactNode, useDeferredValue, useState } from 'react';
import { messages } from '#contract/messages.ts';
import type { Person } from '#web/api/team.ts';
import { DataTable, type DataTableProps } from '#web/ui/DataTable.tsx';
import { Email } from '#web/ui/Email.tsx';
import { RowActions } from '#web/ui/RowActions.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import { hasExpired, invitationText } from './people.ts';
import { RemoveButton, useRemoval } from './Removal.tsx';
import styles from './Team.module.css';
import { words } from './words.ts';

const texts = messages.team;

export interface PeopleListProps {
  people: readonly Person[];
  loading: boolean;
  /** What is shown of each beside the e-mail. */
  columns: DataTableProps<Person>['columns'];
  /** Any CSS width. */
  actionsWidth: string;
  /** What is said of each below the e-mail. */
  about?: (person: Person, isMe: boolean) => ReactNode;
  /** Stands above the list. */
  children?: ReactNode;
}

/** People, to be found by their e-mail and to be removed. */
export function PeopleList({ people, loading, columns, actionsWidth, about, children }: PeopleListProps) {
  const removal = useRemoval();
  const [filter, setFilter] = useState('');
  const rows = matching(people, useDeferredValue(filter));
  const all = [
    { title: texts.email, cell: (person: Person) => <PersonCell person={person} me={removal.me} about={about} /> },
    ...columns,
    {
      title: texts.actions,
      width: actionsWidth,
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
      {children}
      <DataTable
        label={texts.heading}
        columns={all}
        rows={rows}
        rowKey={uidOf}
        loading={loading ? texts.loading : undefined}
        instead={words.nobodyFound}
      />
      {removal.dialog}
    </Section>
  );
}

const uidOf = ({ uid }: Person) => uid;

/** Those with the words in their e-mail, in any case. */
function matching(people: readonly Person[], words: string): readonly Person[] {
  const wanted = words.trim().toLocaleLowerCase();
  return wanted === '' ? people : people.filter(({ email }) => email.toLocaleLowerCase().includes(wanted));
}

/** A person's e-mail, and below it who it is or where the invitation stands. */
function PersonCell({ person, me, about }: { person: Person; me: string | null; about: PeopleListProps['about'] }) {
  return (
    <>
      <div className={styles.email}>
        <Email>{person.email}</Email>
      </div>
      <div className={styles.state} data-bad={hasExpired(person) || undefined}>
        {person.uid === me ? words.you : invitationText(person)}
      </div>
      {about?.(person, person.uid === me)}
    </>
  );
}
