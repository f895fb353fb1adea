import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** For lists and forms with several columns. */
  wide?: boolean;
  /** A cross in its corner. Without it one of the actions closes the dialog. */
  closable?: boolean;
  children: ReactNode;
}

/** Lies over the page, which can't be reached meanwhile. Esc and a click beside it close it; the focus goes back. */
export function Dialog({ opened, onClose, title, wide = false, closable = true, children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      {...(wide ? { size: 'lg' } : {})}
      centered
      withCloseButton={closable}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}

export interface DialogActionsProps {
  /** The first at the start of the line, the others at its end. */
  apart?: boolean;
  /** The form that it stands in keeps the distance. */
  flush?: boolean;
  children: ReactNode;
}

/** The buttons below a dialog, or some of them that stand together. */
export function DialogActions({ apart = false, flush = false, children }: DialogActionsProps) {
  return (
    <Group justify={apart ? 'space-between' : 'flex-end'} {...(flush ? {} : { mt: 'lg' })}>
      {children}
    </Group>
  );
}
