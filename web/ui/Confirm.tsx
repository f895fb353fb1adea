import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

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
  busy?: boolean;
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
  busy = false,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {keep}
        </Button>
        <Button color={harmless ? undefined : 'danger'} onClick={onConfirm} loading={busy}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
