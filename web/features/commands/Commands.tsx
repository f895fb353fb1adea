import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '#web/api/session.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx';

const CommandDialog = lazyPart(() => import('./CommandDialog.tsx').then(({ CommandDialog }) => CommandDialog));
const KeysDialog = lazyPart(() => import('./KeysDialog.tsx').then(({ KeysDialog }) => KeysDialog));

/** On every page: Ctrl or Cmd and K goes anywhere, `?` shows all keys. */
export function Commands() {
  const now = useSession();
  const [shown, setShown] = useState<'commands' | 'keys' | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
    const wanted =
      (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k' ? 'commands' : key === '?' && !isTyping && 'keys';
    // Over another dialog it would lie below.
    if (!wanted || document.querySelector('dialog[open], [role="dialog"]')) return;
    event.preventDefault();
    setShown(wanted);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  if (now.state !== 'signed-in' || shown === null) return null;
  const close = () => setShown(null);
  return (
    // A dialog that does not load leaves the page below as it is; the word on the connection says why.
    <ErrorBoundary fallback={() => null} resetKey={shown}>
      <Suspense fallback={null}>
        {shown === 'keys' ? <KeysDialog onClose={close} /> : <CommandDialog session={now.session} onClose={close} />}
      </Suspense>
    </ErrorBoundary>
  );
}
