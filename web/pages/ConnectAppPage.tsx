import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { messageOf } from '#web/api/call.ts';
import { type AppRequest, answerApp, appRequestQuery } from '#web/api/connected-apps.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { words } from '#web/features/account/app-words.ts';
import { Guard } from '#web/guards.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { Loading } from '#web/ui/Loading.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './ConnectAppPage.module.css';

/**
 * Asks a person whether an app may read with their rights: where the browser comes that an app has sent here.
 * What was wrong with the app's request is said to everybody: nobody signs in to be told that it leads nowhere.
 */
export function ConnectAppPage() {
  useTitle(words.connectTitle);
  const session = useSession();
  const [query] = useSearchParams();
  const requestId = query.get('request');
  if (requestId === null || requestId === '') return <Cannot>{whyNot(query.get('problem'))}</Cannot>;
  return (
    <Guard>{() => session.state === 'signed-in' && <Asking requestId={requestId} session={session.session} />}</Guard>
  );
}

/** What is said of a request that leads nowhere, in words of ours: those in the address could be anybody's. */
function whyNot(problem: string | null): string {
  if (problem === 'invalid_client') return words.unknownApp;
  if (problem === 'invalid_redirect_uri') return words.otherAddress;
  return problem === null || problem === 'ended' ? words.notAskedFor : words.askedWrongly;
}

function Cannot({ children }: { children: ReactNode }) {
  return (
    <main id="content" className={styles.page}>
      <h1>{words.cannotTitle}</h1>
      <p className={styles.lead} role="alert">
        {children}
      </p>
      <p>
        <Link to="/chat">{words.goOn}</Link>
      </p>
    </main>
  );
}

function Asking({ requestId, session }: { requestId: string; session: Session }) {
  const { data, error } = useQuery(appRequestQuery(requestId));
  const answering = useMutation(answerApp);
  if (error) return <Cannot>{messageOf(error, words.notAskedFor)}</Cannot>;
  if (!data) return <Loading />;
  const isLocked = !session.entitlements.features.includes('api-keys');
  const answer = (allowed: boolean) => answering.mutate({ requestId, allowed });
  const isOnItsWay = (allowed: boolean) => answering.isPending && answering.variables.allowed === allowed;
  return (
    <main id="content" className={styles.page}>
      <h1>
        <bdi>{words.asks(data.name)}</bdi>
      </h1>
      <p className={styles.lead}>{words.wants}</p>
      <Facts request={data} session={session} />
      <Rights />
      <p className={styles.warning}>{words.onlyYours}</p>
      {isLocked && (
        <Locked>
          {words.lockedBefore} {planNameWith('api-keys')} {words.lockedAfter}
        </Locked>
      )}
      {answering.error && <Notice kind="problem">{messageOf(answering.error, words.notAnswered)}</Notice>}
      <p className={styles.actions}>
        {!isLocked && (
          <Button pending={answering.isPending} loading={isOnItsWay(true)} onClick={() => answer(true)}>
            {words.allow}
          </Button>
        )}
        <Button look="plain" pending={answering.isPending} loading={isOnItsWay(false)} onClick={() => answer(false)}>
          {words.cancel}
        </Button>
      </p>
    </main>
  );
}

function Facts({ request: { name, address, onThisMachine }, session }: { request: AppRequest; session: Session }) {
  return (
    <dl className={styles.facts}>
      <dt>{words.app}</dt>
      <dd>
        <bdi>{name}</bdi>
        <span className={styles.aside}>{words.callsItself}</span>
      </dd>
      <dt>{words.address}</dt>
      <dd>
        <bdi>{address}</bdi>
        <span className={styles.aside}>
          {onThisMachine ? `${words.onThisMachine}. ${words.toldThere}` : words.toldThere}
        </span>
      </dd>
      <dt>{words.account}</dt>
      <dd>
        <bdi>{session.user.email}</bdi>
        <span className={styles.aside}>
          <bdi>{session.company.name}</bdi>
        </span>
      </dd>
    </dl>
  );
}

function Rights() {
  return (
    <>
      <h2>{words.mayHeading}</h2>
      <p>{words.may}</p>
      <p className={styles.aside}>{words.asLong}</p>
      <h2>{words.mayNotHeading}</h2>
      <p>{words.mayNot}</p>
    </>
  );
}
