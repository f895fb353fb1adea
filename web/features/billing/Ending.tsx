import { Button } from '@mantine/core';
import { useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { type Billing, reloadBilling } from '#web/api/billing.ts';
import { call, messageOf } from '#web/api/call.ts';
import { formatDay } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { priceText, priceToCome } from './words.ts';

/** Ends the subscription with its period; or, as long as that lasts, goes on with it. */
export function Ending({ billing }: { billing: Billing }) {
  const [asking, setAsking] = useState<'cancel' | 'resume' | null>(null);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const ending = billing.endsAt !== null;
  const end = billing.endsAt ?? billing.currentPeriodEnd;
  const lastDay = end === null ? 'the end of the period' : formatDay(end);
  const price = priceToCome(billing);

  const ask = (what: 'cancel' | 'resume') => {
    setAsking(what);
    setOpened(true);
  };
  const act = async () => {
    if (busy) return;
    setBusy(true);
    try {
      if (asking === 'resume') {
        await call('resumeSubscription', null, { retry: false });
        showAlert('done', 'Your subscription goes on.');
      } else {
        const { endsAt } = await call('cancelSubscription', null, { retry: false });
        showAlert('done', `Your subscription ends on ${formatDay(endsAt)}.`);
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'cancelled') return;
      showAlert('problem', messageOf(error, 'That did not work. Please try again.'));
    } finally {
      setBusy(false);
      setOpened(false);
      void reloadBilling();
    }
  };

  return (
    <>
      {ending ? (
        <Button onClick={() => ask('resume')}>Reactivate</Button>
      ) : (
        <Button variant="subtle" color="danger" onClick={() => ask('cancel')}>
          Cancel subscription
        </Button>
      )}
      <Confirm
        opened={opened}
        title={asking === 'resume' ? 'Reactivate your subscription?' : 'Cancel your subscription?'}
        action={asking === 'resume' ? 'Reactivate' : 'Cancel subscription'}
        keep={asking === 'resume' ? 'Not now' : 'Keep it'}
        harmless={asking === 'resume'}
        busy={busy}
        onConfirm={() => void act()}
        onCancel={() => setOpened(false)}
      >
        {asking === 'resume' ? (
          <p>
            Nothing is charged today. It goes on after {lastDay}
            {price && `, and costs ${priceText(price)} from then on`}.
          </p>
        ) : (
          <p>
            Everything works until {lastDay}, which is paid for. After that nobody can ask, upload or invite. Your
            documents and people stay, and can be read and exported.
          </p>
        )}
      </Confirm>
    </>
  );
}
