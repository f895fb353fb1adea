import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConfirmProps {
  opened: boolean;
  title: string;
  /** Names what will be destroyed, and that it can't be undone. */
  children: ReactNode;
  /** The verb on the button: "Delete". */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks once before something is destroyed. The safe button has the focus, so that a hasty Enter harms nothing. */
export function Confirm({ opened, title, children, action, busy = false, onConfirm, onCancel }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="danger" onClick={onConfirm} loading={busy}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
