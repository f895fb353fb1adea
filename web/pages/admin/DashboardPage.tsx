import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { reloadFiles, useCompanyFiles } from '#web/api/company-files.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { teamQuery } from '#web/api/team.ts';
import { DocumentsSection } from '#web/features/documents/DocumentsSection.tsx';
import { DiskNotice } from '#web/features/documents/StorageUse.tsx';
import { words } from '#web/features/documents/words.ts';
import { peopleText, seatsTaken, seatsText } from '#web/features/team/people.ts';
import { TeamComing, TeamSection } from '#web/features/team/TeamSection.tsx';
import { preloadUploads } from '#web/features/uploads/Uploading.tsx';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { personName } from '#web/lib/person-name.ts';
import { planTitles } from '#web/lib/price.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { Email } from '#web/ui/Email.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Admin.module.css';
import { adminWords } from './words.ts';

/** The admin's screen: the company's documents and people. */
export function DashboardPage() {
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  return <Dashboard session={session.session} />;
}

function Dashboard({ session }: { session: Session }) {
  const { user, company, entitlements, subscription } = session;
  useTitle(messages.admin.dashboard);
  const { files, status } = useCompanyFiles();
  useEffect(preloadUploads, []);
  const team = useQuery(teamQuery);
  const failed = status === 'failed' || (team.isError && !team.data);
  const reload = () => {
    void reloadFiles();
    void team.refetch();
  };
  const facts = [
    company.name,
    status === 'ready' && words.count(files.length),
    entitlements.seats === null
      ? team.data && peopleText(team.data)
      : seatsText(team.data ? seatsTaken(team.data) : subscription.seatsUsed, entitlements.seats),
  ];
  return (
    <>
      <header className={styles.top}>
        <div className={styles.welcome}>
          <h1 className={styles.heading}>
            {adminWords.welcome}{' '}
            <bdi>
              <Email>{personName(user)}</Email>
            </bdi>
          </h1>
          <p className={styles.sub}>{facts.filter(Boolean).join(' · ')}</p>
          {/* In a line of its own: the one above grows with what is still to come. */}
          {subscription.plan !== null && (
            <p className={styles.sub}>
              <Link to="/admin/settings/billing">{adminWords.planOf(planTitles[subscription.plan])}</Link>
            </p>
          )}
        </div>
        <Button onClick={openUploads}>{messages.documents.upload}</Button>
      </header>
      <DiskNotice />
      <SlowNotice waiting={!failed && (status === 'loading' || team.isPending)} />
      {failed && <LoadFailed retry={reload}>{messages.admin.loadFailed}</LoadFailed>}
      {status !== 'failed' && <DocumentsSection />}
      {/* Below a list of unknown height: once that is there, or it would be moved by it. */}
      {status === 'loading' && <TeamComing />}
      {status !== 'loading' && !(team.isError && !team.data) && <TeamSection />}
    </>
  );
}
