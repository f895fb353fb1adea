import { useId, useState } from 'react';
import type { Session } from '#web/api/session.ts';
import { leave } from '#web/lib/unsaved.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import styles from './Commands.module.css';
import { matching } from './matching.ts';
import { useCommands } from './use-commands.ts';
import { words } from './words.ts';

export interface CommandDialogProps {
  session: Session;
  onClose: () => void;
}

/** Finds documents, questions, pages and actions by what is typed; the arrow keys choose, Enter goes there. */
export function CommandDialog({ session, onClose }: CommandDialogProps) {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const commands = matching(useCommands(session), typed);
  const chosen = commands[place];
  const listId = useId();
  const idOf = (at: number) => `${listId}-${at}`;
  const run = (at: number) => {
    const command = commands[at];
    if (!command) return;
    onClose();
    leave(command.run);
  };
  const move = (by: 1 | -1) => setPlace((place + by + commands.length) % Math.max(commands.length, 1));
  return (
    <Dialog opened onClose={onClose} title={words.goTo}>
      <input
        className={styles.field}
        data-autofocus
        role="combobox"
        aria-label={words.whatToFind}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && idOf(place)}
        placeholder={words.whatToFind}
        value={typed}
        maxLength={200}
        onChange={({ target }) => {
          setTyped(target.value);
          setPlace(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === 1 || step === -1) {
            event.preventDefault();
            move(step);
          }
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(place);
        }}
      />
      <div id={listId} role="listbox" aria-label={words.found} className={styles.list}>
        {commands.map(({ key, group, label }, at) => (
          // The keyboard stays in the field, which chooses and runs.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={key}
            id={idOf(at)}
            role="option"
            aria-selected={at === place}
            tabIndex={-1}
            className={styles.option}
            ref={at === place ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onClick={() => run(at)}
          >
            <bdi className={styles.label}>{label}</bdi>
            {group !== commands[at - 1]?.group && <small>{group}</small>}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p className={styles.none} role="status">
          {words.nothingCalled}
        </p>
      )}
    </Dialog>
  );
}
