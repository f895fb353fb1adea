import { useQuery } from '@tanstack/react-query';
import { accountSecurityQuery, sessionsQuery } from '#web/api/account-security.ts';
import { apiKeysQuery } from '#web/api/api-keys.ts';
import { messageOf } from '#web/api/call.ts';
import { connectedAppsQuery } from '#web/api/connected-apps.ts';
import { useSession } from '#web/api/session.ts';
import styles from '#web/features/account/Account.module.css';
import { ApiKeys } from '#web/features/account/ApiKeys.tsx';
import { ConnectedApps } from '#web/features/account/ConnectedApps.tsx';
import { SecondFactorSection } from '#web/features/account/SecondFactorSection.tsx';
import { SessionList } from '#web/features/account/SessionList.tsx';
import { SignInMails } from '#web/features/account/SignInMails.tsx';
import { words } from '#web/features/account/words.ts';
import { AppHeader } from '#web/features/chat/AppHeader.tsx';
import { useTitle } from '#web/lib/title.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';

/** How the person's own account is protected, and where they are signed in. */
export function AccountSecurityPage() {
  useTitle(words.signInAndSecurity);
  const session = useSession();
  const { data, error, refetch } = useQuery(accountSecurityQuery);
  // What stands below the lists waits for them, so that nothing is moved by them.
  const lists = [
    useQuery(sessionsQuery).isFetched,
    useQuery(apiKeysQuery).isFetched,
    useQuery(connectedAppsQuery).isFetched,
  ];
  if (session.state !== 'signed-in') return null;
  const { email } = session.session.user;
  return (
    <div className={styles.page}>
      <AppHeader />
      <main id="content" className={styles.main}>
        <h1>{words.signInAndSecurity}</h1>
        <p className={styles.sub}>{email}</p>
        {data && lists.every(Boolean) ? (
          <>
            <SecondFactorSection state={data.secondFactor} />
            <SessionList outsideProvider={data.outsideProvider} />
            <SignInMails security={data} email={email} />
            <ApiKeys kind="personal" />
            <ConnectedApps />
          </>
        ) : error ? (
          <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>
        ) : (
          <LoadingPart />
        )}
      </main>
    </div>
  );
}
