import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { TextButton } from './TextButton.tsx';

/** Shows a message over the page for a while, with role `alert`: what the specification calls an alert. */
export function showAlert(kind: 'done' | 'problem', message: string, detail?: ReactNode): void {
  notifications.show({
    color: kind === 'done' ? 'var(--ok)' : 'var(--danger)',
    message: (
      <>
        {message}
        {detail && <div>{detail}</div>}
      </>
    ),
    // A problem is read twice.
    autoClose: kind === 'done' ? 6000 : 15_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}

/** Says what has come to its end, and leads to what may be done next. */
export function showNext(message: string, next: { label: string; href: string; go: () => void }): void {
  const id = notifications.show({
    color: 'var(--ok)',
    message: (
      <>
        {message}{' '}
        <a
          href={next.href}
          onClick={(event) => {
            event.preventDefault();
            notifications.hide(id);
            next.go();
          }}
        >
          {next.label}
        </a>
      </>
    ),
    autoClose: 20_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}

/** Milliseconds in which what was just done can be taken back. */
const undoMs = 8000;

/** Says what was done, with the way to take it back. */
export function showUndo(message: string, undo: () => unknown): void {
  const id = notifications.show({
    color: 'var(--accent)',
    message: (
      <>
        {message}{' '}
        <TextButton
          onClick={() => {
            undo();
            notifications.hide(id);
          }}
        >
          Undo
        </TextButton>
      </>
    ),
    autoClose: undoMs,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}
