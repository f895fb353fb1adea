import { Link, useSearchParams } from 'react-router';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { type Confirmation, useConfirmation } from '#web/features/billing/confirmation.ts';
import { notices } from '#web/features/billing/notices.ts';
import { hasBegun, missingTitle, payingPath } from '#web/features/billing/paying.ts';
import { words } from '#web/features/billing/words.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { useTitle } from '#web/lib/title.ts';
import control from '#web/ui/control.module.css';
import { Loading } from '#web/ui/Loading.tsx';
import styles from './Message.module.css';

const texts = messages.success;

/** Where the payment provider leads back to. It says that all is well only when the provider says so. */
export function SuccessPage() {
  const { confirmation, again } = useConfirmation();
  const isUnpaid = confirmation.state === 'waiting' || confirmation.state === 'given-up';
  const visitor = useVisitor();
  const heading = isUnpaid && visitor ? unpaidHeading(visitor) : headings[confirmation.state];
  useTitle(heading);
  // The last line is about them, and would move those above it.
  const { status: ofFiles } = useCompanyFiles();
  if (confirmation.state === 'asking' || ofFiles === 'loading') return <Loading />;
  return (
    <main className={styles.page}>
      <div className={styles.said} role="status">
        <h1>{heading}</h1>
        {isUnpaid && visitor ? <Unpaid session={visitor} /> : <Words confirmation={confirmation} />}
      </div>
      {isUnpaid && visitor ? (
        <WayToPay session={visitor} />
      ) : isUnpaid ? (
        <>
          {confirmation.state === 'given-up' && (
            <button type="button" className={`${control.filled} ${styles.button}`} onClick={again}>
              {words.checkAgain}
            </button>
          )}
          <WaysOut />
        </>
      ) : (
        <>
          <Link className={`${control.filled} ${styles.button}`} to="/chat">
            {texts.goToApp}
          </Link>
          <NextStep />
        </>
      )}
    </main>
  );
}

/** What a new company does next: without documents there is nothing to ask. */
function NextStep() {
  const session = useSession();
  const { files, status } = useCompanyFiles();
  const isNew = status === 'ready' && files.length === 0;
  if (!isNew || session.state !== 'signed-in' || session.session.user.role !== 'admin') return null;
  return (
    <p className={styles.aside}>
      {words.next}{' '}
      <Link to="/admin/documents" onClick={openUploads}>
        {words.uploadFirst}
      </Link>
      {words.andAsk}
    </p>
  );
}

const headings: Record<Confirmation['state'], string> = {
  asking: messages.common.loading,
  active: texts.heading,
  free: words.nothingToPay,
  waiting: words.notConfirmed,
  'given-up': words.notConfirmed,
};

function Words({ confirmation }: { confirmation: Exclude<Confirmation, { state: 'asking' }> }) {
  switch (confirmation.state) {
    case 'active':
      return <p>{texts.text}</p>;
    case 'free':
      return <p>{words.free}</p>;
    case 'waiting':
      return (
        <p>
          {confirmation.problem ?? words.arriving} {words.looksAgain}
        </p>
      );
    case 'given-up':
      return <p>{confirmation.problem ?? words.notArrived}</p>;
  }
}

/**
 * Who has come here by chance: the payment provider names the payment in the address. Null where that is not so, or
 * where the company may do what a paid one may.
 */
function useVisitor(): Session | null {
  const [search] = useSearchParams();
  const session = useSession();
  if (session.state !== 'signed-in' || search.has('session_id')) return null;
  return session.session.entitlements.notice === 'subscription-inactive' ? session.session : null;
}

function unpaidHeading({ subscription: { state } }: Session): string {
  return hasBegun(state) ? missingTitle(state) : words.nothingPaid;
}

/** What does not work without a subscription. */
function Unpaid({ session: { user, subscription } }: { session: Session }) {
  return (
    <p>
      {hasBegun(subscription.state) ? notices.paused : notices.notBegun} {user.role !== 'admin' && notices.askAdmin}
    </p>
  );
}

function WayToPay({ session: { user, subscription } }: { session: Session }) {
  const path = payingPath(subscription.state);
  return (
    <>
      {user.role === 'admin' && (
        <Link className={`${control.filled} ${styles.button}`} to={path}>
          {path === '/pricing' ? notices.choose : notices.settle}
        </Link>
      )}
      <p className={styles.aside}>
        <Link to="/chat">{texts.goToApp}</Link>
      </p>
    </>
  );
}

/** For who may not have paid at all: gone back, or refused by the bank. */
function WaysOut() {
  const session = useSession();
  const isAdmin = session.state === 'signed-in' && session.session.user.role === 'admin';
  return (
    <p className={styles.aside}>
      {isAdmin && (
        <>
          {words.notPaid} <Link to="/pricing">{words.choosePlan}</Link> ·{' '}
        </>
      )}
      <Link to="/chat">{texts.goToApp}</Link>
    </p>
  );
}
