import { lazy, type ReactNode, Suspense, useState } from 'react';

// Seldom opened: the chat comes without it.
const AccountDialog = lazy(() => import('./AccountDialog.tsx').then((module) => ({ default: module.AccountDialog })));

/** Opens what a person can change about themselves. */
export function AccountButton({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  return (
    <>
      <button
        type="button"
        className={className}
        title="Your account"
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
