import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { useSession } from '#web/api/session.ts';
import { teamQuery } from '#web/api/team.ts';
import { GroupsSection } from '#web/features/collections/GroupsSection.tsx';
import { Invitations } from '#web/features/team/Invitations.tsx';
import { InviteForm } from '#web/features/team/InviteForm.tsx';
import { InviteMany, InviteManyButton } from '#web/features/team/InviteMany.tsx';
import { PeopleTable } from '#web/features/team/PeopleTable.tsx';
import { TeamToolsLocked } from '#web/features/team/plan.tsx';
import { Seats } from '#web/features/team/Seats.tsx';
import { words } from '#web/features/team/words.ts';
import { useTitle } from '#web/lib/title.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Section } from '#web/ui/Section.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Admin.module.css';

/** The company's people: who they are, what they may do, who is invited, and how many seats that takes. */
export function TeamPage() {
  const session = useSession();
  useTitle(words.team);
  const { data, isPending, isError, refetch } = useQuery(teamQuery);
  const [many, setMany] = useState(false);
  const people = data ?? [];
  return (
    <>
      <h1 className={styles.heading}>{words.team}</h1>
      {session.state === 'signed-in' && <p className={styles.sub}>{session.session.company.name}</p>}
      {isError && !data ? (
        <div className={styles.top}>
          <LoadFailed retry={refetch}>{messages.admin.loadFailed}</LoadFailed>
        </div>
      ) : (
        <>
          <SlowNotice waiting={isPending} />
          <Seats people={data} />
          <TeamToolsLocked />
          <Section heading={words.invitePeople}>
            <InviteForm withRole>
              <InviteManyButton onClick={() => setMany(true)} />
            </InviteForm>
          </Section>
          <PeopleTable people={people.filter(({ state }) => state === 'active')} loading={isPending} />
          <Invitations invited={people.filter(({ state }) => state !== 'active')} />
          <GroupsSection waits={isPending} />
          <InviteMany opened={many} onClose={() => setMany(false)} people={people} />
        </>
      )}
    </>
  );
}
