import { Group, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import styles from './Dialog.module.css';
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

/**
 * Lies over the page, which can't be reached meanwhile. Esc and a click beside it close it, and not what it lies over;
 * the focus goes back.
 */
export function Dialog({
  opened,
  onClose,
  title,
  wide = false,
  above = false,
  closable = true,
  children,
}: DialogProps) {
  useEscape(opened, above, onClose);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      {...(wide ? { size: 'lg' } : {})}
      {...(above ? { zIndex: aboveOthers } : {})}
      centered
      transitionProps={{ transition: 'pop', duration: motionMs }}
    >
      <Modal.Overlay />
      <Modal.Content className={styles.content ?? ''}>
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

/** The dialogs that are open, the topmost last. */
let layers: readonly { above: boolean }[] = [];

/** Mantine's own would close each that is open, with what was typed in those below. */
function useEscape(opened: boolean, above: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return;
    const layer = { above };
    layers = [...layers, layer].sort((one, other) => Number(one.above) - Number(other.above));
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.repeat || layers.at(-1) !== layer) return;
      // One Esc closes one thing: the one below is the topmost from now on.
      event.stopImmediatePropagation();
      close();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      layers = layers.filter((each) => each !== layer);
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [opened, above]);
}

export interface DialogActionsProps {
  /** The first at the start of the line, the others at its end. */
  apart?: boolean;
  /** The form that it stands in keeps the distance. */
  flush?: boolean;
  children: ReactNode;
}

/**
 * The buttons below a dialog, or some of them that stand together. They stay in sight where it is higher than the
 * screen.
 */
export function DialogActions({ apart = false, flush = false, children }: DialogActionsProps) {
  return (
    <Group
      data-in-use
      className={styles.actions ?? ''}
      justify={apart ? 'space-between' : 'flex-end'}
      {...(flush ? {} : { mt: 'lg' })}
    >
      {children}
    </Group>
  );
}
