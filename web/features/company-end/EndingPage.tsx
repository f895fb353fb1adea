import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/api/call.ts';
import { keepCompany } from '#web/api/company-end.ts';
import type { Session } from '#web/api/session.ts';
import { ExportPanel } from '#web/features/exports/ExportPanel.tsx';
import { logOut } from '#web/lib/log-out.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './CompanyEnd.module.css';
import { words } from './words.ts';

/** All that is left of a company that ends: its admins can keep it or take its data along, the others read why. */
export function EndingPage({ session: { company, user }, endsAt }: { session: Session; endsAt: string }) {
  useTitle(words.endingTitle);
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(endsAt));
  return (
    <main className={styles.page}>
      <h1>
        <bdi>{company.name}</bdi> {words.willBeDeleted} {day}
      </h1>
      {user.role === 'admin' ? (
        <ForAdmins />
      ) : (
        <>
          <p>{words.adminAsked}</p>
          <LogOut />
        </>
      )}
    </main>
  );
}

function ForAdmins() {
  const keeping = useMutation(keepCompany);
  return (
    <>
      <p>{words.onThatDay}</p>
      {keeping.error && (
        <p className={styles.problem} role="alert">
          {messageOf(keeping.error, words.notKept)}
        </p>
      )}
      <p className={styles.actions}>
        <Button pending={keeping.isPending} onClick={() => keeping.mutate()}>
          {words.keep}
        </Button>
        <LogOut />
      </p>
      <Section heading={words.takeData}>
        <ExportPanel of="company" />
      </Section>
    </>
  );
}

function LogOut() {
  return (
    <span>
      <Button look="plain" onClick={logOut}>
        {words.logout}
      </Button>
    </span>
  );
}
