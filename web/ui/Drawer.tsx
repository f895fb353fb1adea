import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import styles from './Drawer.module.css';

export interface DrawerProps {
  label: string;
  /** False: it goes, and shows until it is gone what it has shown. */
  opened: boolean;
  /** `start`: a drawer at the left edge; `whole`: the whole screen. */
  size: 'start' | 'whole';
  onClose: () => void;
  children: ReactNode;
}

/**
 * Lies over the page, which can't be reached meanwhile. Esc, Back and a tap beside it close it; the focus goes back.
 * The browser's own dialog does most of that.
 */
export function Drawer({ label, opened, size, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (!opened) return;
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, [opened]);
  const onBack = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return;
    // A step of its own in the history, so that a phone's Back closes the drawer and not the page.
    window.history.pushState({ ...window.history.state, drawer: label }, '');
    // Ours is still on top where another drawer has just gone.
    const close = () => {
      if (window.history.state?.drawer !== label) onBack();
    };
    window.addEventListener('popstate', close);
    return () => {
      window.removeEventListener('popstate', close);
      // Closed in another way the step goes, too; where a link has led on it lies below, and stays.
      if (window.history.state?.drawer === label) window.history.back();
    };
  }, [label, opened]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the keyboard there is Esc
    <dialog
      ref={dialog}
      className={styles.over}
      data-size={size}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>{children}</div>
    </dialog>
  );
}
