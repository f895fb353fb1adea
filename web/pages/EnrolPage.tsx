import { useQuery } from '@tanstack/react-query';
import { messages } from '#contract/messages.ts';
import { accountSecurityQuery } from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { reloadSession, restartSession, useSession } from '#web/api/session.ts';
import styles from '#web/features/account/Account.module.css';
import { SecondFactorSection } from '#web/features/account/SecondFactorSection.tsx';
import { words } from '#web/features/account/words.ts';
import { logOut } from '#web/lib/log-out.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';

/** All that those see who have yet to set up the second factor that their company asks for. */
export function EnrolPage() {
  useTitle(words.enrolTitle);
  const session = useSession();
  const { data, error, refetch } = useQuery(accountSecurityQuery);
  if (session.state !== 'signed-in') return null;
  const { company, user } = session.session;
  return (
    <main className={styles.main}>
      <h1>{words.enrolHeading}</h1>
      <p className={styles.sub}>
        <bdi>{company.name}</bdi> {words.enrolAsks} {user.email}
        {words.enrolGoOn}
      </p>
      {data ? (
        <SecondFactorSection state={data.secondFactor} onDone={() => reloadSession().catch(() => restartSession())} />
      ) : error ? (
        <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>
      ) : (
        <LoadingPart />
      )}
      <p className={styles.actions}>
        <Button look="plain" onClick={logOut}>
          {messages.admin.logout}
        </Button>
      </p>
    </main>
  );
}
