import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

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
