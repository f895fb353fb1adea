import { useMutation } from '@tanstack/react-query';
import { openPortal } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

/** Leads to the payment provider's own page, and from there back to this one. */
export function PortalButton({ children }: { children: string }) {
  const portal = useMutation({
    ...openPortal,
    onError: (error) => showAlert('problem', messageOf(error, words.portalNotOpened)),
  });
  return (
    <Button look="plain" pending={portal.isPending} onClick={() => portal.mutate()}>
      {portal.isPending ? words.opening : children}
    </Button>
  );
}
