import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';

export interface ConfirmProps {
  opened: boolean;
  title: string;
  /** Names what will be destroyed, and that it can't be undone. */
  children: ReactNode;
  /** The verb on the button: "Delete". */
  action: string;
  /** The word on the safe button, where "Cancel" could be taken for the deed itself. */
  keep?: string;
  /** Nothing is destroyed: it costs something, or is done for others. */
  harmless?: boolean;
  /** It is being done. */
  pending?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks once before something is destroyed. The safe button has the focus, so that a hasty Enter harms nothing. */
export function Confirm({
  opened,
  title,
  children,
  action,
  keep = 'Cancel',
  harmless = false,
  pending = false,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} closable={false}>
      {children}
      <DialogActions>
        <Button look="plain" onClick={onCancel} data-autofocus>
          {keep}
        </Button>
        <Button look={harmless ? 'main' : 'danger'} onClick={onConfirm} loading={pending}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
