import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import { type Confirmation, useConfirmation } from '#web/features/billing/confirmation.ts';
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
  useTitle(headings[confirmation.state]);
  // The last line is about them, and would move those above it.
  const { status: ofFiles } = useCompanyFiles();
  if (confirmation.state === 'asking' || ofFiles === 'loading') return <Loading />;
  return (
    <main className={styles.page}>
      <div className={styles.said} role="status">
        <h1>{headings[confirmation.state]}</h1>
        <Words confirmation={confirmation} />
      </div>
      {confirmation.state === 'given-up' && (
        <button type="button" className={`${control.filled} ${styles.button}`} onClick={again}>
          {words.checkAgain}
        </button>
      )}
      {confirmation.state === 'waiting' || confirmation.state === 'given-up' ? (
        <WaysOut />
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

/** For who has not paid at all: gone back, refused by the bank, or come here by chance. */
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
