import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { motionMs } from './motion.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** For lists and forms with several columns. */
  wide?: boolean;
  /** It may be asked while another one is open, over which it then lies: that one may have been there later. */
  above?: boolean;
  /** A cross in its corner. Without it one of the actions closes the dialog. */
  closable?: boolean;
  children: ReactNode;
}

/** Lies over the page, which can't be reached meanwhile. Esc and a click beside it close it; the focus goes back. */
export function Dialog({
  opened,
  onClose,
  title,
  wide = false,
  above = false,
  closable = true,
  children,
}: DialogProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      {...(wide ? { size: 'lg' } : {})}
      {...(above ? { zIndex: aboveOthers } : {})}
      centered
      transitionProps={{ transition: 'pop', duration: motionMs }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Of the dialog: as it comes it would be one more head of the page. */}
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
          {closable && <Modal.CloseButton aria-label="Close" />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Others have 200, what opens within any of them 300. */
const aboveOthers = 250;

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
    <Group data-in-use justify={apart ? 'space-between' : 'flex-end'} {...(flush ? {} : { mt: 'lg' })}>
      {children}
    </Group>
  );
}
