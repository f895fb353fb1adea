import { type ComponentType, useState } from 'react';
import { type Session, useSession } from '#web/api/session.ts';
import { isTyping } from '#web/lib/is-typing.ts';
import { useKeys } from '#web/lib/use-keys.ts';

type CommandsDialog = ComponentType<{ session: Session; onClose: () => void }>;

const load: Record<'commands' | 'keys', () => Promise<CommandsDialog>> = {
  commands: () => import('./CommandDialog.tsx').then(({ CommandDialog }) => CommandDialog),
  keys: () => import('./KeysDialog.tsx').then(({ KeysDialog }) => KeysDialog),
};

/** On every page: Ctrl or Cmd and K goes anywhere, `?` shows all keys. */
export function Commands() {
  const now = useSession();
  const [Shown, setShown] = useState<CommandsDialog | null>(null);
  useKeys((event: KeyboardEvent) => {
    const { key, target } = event;
    const wanted =
      (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k'
        ? 'commands'
        : key === '?' && !isTyping(target) && 'keys';
    // Over another dialog it would lie below.
    if (!wanted || document.querySelector('dialog[open], [role="dialog"]')) return;
    event.preventDefault();
    // What does not load is tried again with the next press; the word on the connection says why.
    load[wanted]().then(
      (dialog) => setShown(() => dialog),
      (error: unknown) => console.warn('The dialog could not be loaded.', error),
    );
  });
  if (now.state !== 'signed-in' || Shown === null) return null;
  return <Shown session={now.session} onClose={() => setShown(null)} />;
}
