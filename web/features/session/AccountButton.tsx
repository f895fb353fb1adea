import { type ReactNode, Suspense, useState } from 'react';
// Seldom opened: the chat comes without it.
import { lazyPart } from '#web/lib/lazy-part.ts';
import { wordsEverywhere } from './words-everywhere.ts';

const AccountDialog = lazyPart(() => import('./AccountDialog.tsx').then(({ AccountDialog }) => AccountDialog));

/** Opens what a person can change about themselves. */
export function AccountButton({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  return (
    <>
      <button
        type="button"
        className={className}
        title={wordsEverywhere.yourAccount}
        aria-haspopup="dialog"
        onClick={() => setState('open')}
      >
        {children}
      </button>
      {state !== 'never' && (
        <Suspense>
          <AccountDialog opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
