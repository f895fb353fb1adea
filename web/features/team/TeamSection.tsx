import { useQuery } from '@tanstack/react-query';
import { messages } from '#contract/messages.ts';
import { type Person, teamQuery } from '#web/api/team.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Section } from '#web/ui/Section.tsx';
import { InviteForm } from './InviteForm.tsx';
import { PeopleList } from './PeopleList.tsx';
import { roleNames } from './people.ts';

const columns = [{ title: messages.team.role, width: '22%', cell: ({ role }: Person) => roleNames[role] }];

/** The dashboard's section: invite, find and remove people. */
export function TeamSection() {
  const { data: people = [], isPending } = useQuery(teamQuery);
  return (
    <PeopleList people={people} loading={isPending} columns={columns} actionsWidth="96px">
      <InviteForm />
    </PeopleList>
  );
}

/** Stands for it where what is above it is on its way: once that is there, this would be moved by it. */
export function TeamComing() {
  return (
    <Section heading={messages.team.heading}>
      <DataTable
        label={messages.team.heading}
        columns={[{ title: messages.team.email, cell: () => null }, ...columns]}
        rows={[]}
        rowKey={({ uid }) => uid}
        loading={messages.team.loading}
        instead={null}
      />
    </Section>
  );
}
