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

/** All that is left of a company that ends: its admins can keep it or take its data along, the others read why. */
export function EndingPage({ session: { company, user }, endsAt }: { session: Session; endsAt: string }) {
  useTitle('Company is being deleted');
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(endsAt));
  return (
    <main className={styles.page}>
      <h1>
        <bdi>{company.name}</bdi> will be deleted on {day}
      </h1>
      {user.role === 'admin' ? (
        <ForAdmins />
      ) : (
        <>
          <p>An admin of your company has asked for it. Until then it is closed, and only an admin can keep it.</p>
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
      <p>
        On that day everything is erased for good. Until then the company is closed, and nothing more is charged. If you
        keep it, everything is as it was.
      </p>
      {keeping.error && (
        <p className={styles.problem} role="alert">
          {messageOf(keeping.error, 'The company could not be kept. Please try again.')}
        </p>
      )}
      <p className={styles.actions}>
        <Button pending={keeping.isPending} onClick={() => keeping.mutate()}>
          Keep the company
        </Button>
        <LogOut />
      </p>
      <Section heading="Take your data with you">
        <ExportPanel of="company" />
      </Section>
    </>
  );
}

function LogOut() {
  return (
    <span>
      <Button look="plain" onClick={logOut}>
        Logout
      </Button>
    </span>
  );
}
