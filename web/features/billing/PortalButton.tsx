import { useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import { leaveFor } from '#web/lib/location.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';

/** Leads to the payment provider's own page, and from there back to this one. */
export function PortalButton({ children }: { children: string }) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    if (busy) return;
    setBusy(true);
    try {
      leaveFor((await call('createPortalSession', null, { retry: false })).url);
    } catch (error) {
      setBusy(false);
      showAlert('problem', messageOf(error, 'The billing portal could not be opened. Please try again.'));
    }
  };
  return (
    <Button look="plain" pending={busy} onClick={() => void open()}>
      {busy ? 'Opening...' : children}
    </Button>
  );
}
