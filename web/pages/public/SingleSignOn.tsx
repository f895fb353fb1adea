import { useEffect, useRef } from 'react';
import { messages } from '#contract/messages.ts';
import { beginSingleSignOn, completeSingleSignOn } from '#web/api/session.ts';
import { cameFrom, cleanAddress, navigate } from '#web/lib/location.ts';
import { cameToProviderFrom, leaveForProvider, sayOfProvider } from '#web/lib/provider.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import styles from './Form.module.css';
import { type FormMessage, problemOf } from './login-form.ts';
import { addressOf } from './login-mode.ts';
import { words } from './second-step-words.ts';

type Say = (message: FormMessage | null) => void;

const settingsPage = '/admin/settings/security';

/** Leads to the provider of the e-mail's company. */
export function SingleSignOnButton({ email, onMessage }: { email: string; onMessage: Say }) {
  const { pending, onSubmit } = useSubmit(() => {
    onMessage(null);
    return async () => {
      try {
        await leaveForProvider((await beginSingleSignOn(email)).url, cameFrom());
      } catch (thrown) {
        onMessage({ kind: 'problem', text: problemOf(thrown).message });
      }
    };
  });
  return (
    <form onSubmit={onSubmit}>
      <button type="submit" className={styles.second} aria-disabled={pending || undefined}>
        {words.continueWithSso}
      </button>
    </form>
  );
}

/** What a provider has led back to: ends what was begun, and goes on where that was. */
export function SingleSignOnReturn({ search, onMessage }: { search: string; onMessage: Say }) {
  const begun = useRef(false);
  useEffect(() => {
    // Its code works once.
    if (begun.current) return;
    begun.current = true;
    // Not before: a page that is loaded again because this part did not come begins with it.
    cleanAddress(addressOf('login'), null);
    const from = cameToProviderFrom();
    completeSingleSignOn(search).then(
      (purpose) => {
        if (purpose === 'test') sayOfProvider({ kind: 'done', text: words.works });
        // Other pages say nothing of it: there the person simply goes on.
        if (purpose === 'confirm' && from === settingsPage) sayOfProvider({ kind: 'done', text: words.goOn });
        navigate(from, { replace: true });
      },
      (thrown: unknown) => {
        const { message: text, details } = problemOf(thrown);
        if (from !== settingsPage) return onMessage({ kind: 'problem', text });
        const reason = typeof details.reason === 'string' ? ` (${details.reason})` : '';
        sayOfProvider({ kind: 'problem', text: text + reason });
        navigate(from, { replace: true });
      },
    );
  }, [search, onMessage]);
  return <p role="status">{messages.common.loading}</p>;
}
