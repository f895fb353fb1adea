import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { type Billing, cancelSubscription, reloadBilling, resumeSubscription } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import { formatDay } from '#web/lib/format.ts';
import { planTitles } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { presentPrice, priceText } from './words.ts';

type Change = 'cancel' | 'reactivate' | 'keep';

/**
 * Ends the subscription with its period; or, as long as that lasts, takes back the end or the change that was planned.
 */
export function CancelSubscription({ billing }: { billing: Billing }) {
  const [change, setChange] = useState<Change>('cancel');
  const [opened, setOpened] = useState(false);
  const ask = (what: Change) => {
    setChange(what);
    setOpened(true);
  };
  const told = {
    onError: (error: Error) => {
      if (error instanceof AppError && error.code === 'cancelled') return;
      showAlert('problem', messageOf(error, 'That did not work. Please try again.'));
    },
    onSettled: () => {
      setOpened(false);
      void reloadBilling();
    },
  };
  const cancel = useMutation({
    ...cancelSubscription,
    ...told,
    onSuccess: (endsAt) => showAlert('done', `Your subscription ends on ${formatDay(endsAt)}.`),
  });
  const resume = useMutation({
    ...resumeSubscription,
    ...told,
    onSuccess: () => showAlert('done', change === 'keep' ? 'Your plan stays as it is.' : 'Your subscription goes on.'),
  });
  const pending = cancel.isPending || resume.isPending;
  const act = () => {
    if (pending) return;
    if (change === 'cancel') cancel.mutate();
    else resume.mutate();
  };

  const keep = keepText(billing);
  const { title, action, safe, text } = questions(billing)[change];
  return (
    <>
      {billing.endsAt !== null && <Button onClick={() => ask('reactivate')}>Reactivate</Button>}
      {billing.scheduled !== null && (
        <Button look="plain" onClick={() => ask('keep')}>
          {keep}
        </Button>
      )}
      {billing.endsAt === null && (
        <Button look="danger-quiet" onClick={() => ask('cancel')}>
          Cancel subscription
        </Button>
      )}
      <Confirm
        opened={opened}
        title={title}
        action={action}
        keep={safe}
        harmless={change !== 'cancel'}
        pending={pending}
        onConfirm={act}
        onCancel={() => setOpened(false)}
      >
        <p>{text}</p>
      </Confirm>
    </>
  );
}

interface Question {
  title: string;
  action: string;
  /** The word on the button that does nothing. */
  safe: string;
  text: ReactNode;
}

function questions(billing: Billing): Record<Change, Question> {
  const { endsAt, currentPeriodEnd, scheduled } = billing;
  const end = endsAt ?? currentPeriodEnd;
  const lastDay = end === null ? 'the end of the period' : formatDay(end);
  const price = presentPrice(billing);
  return {
    cancel: {
      title: 'Cancel your subscription?',
      action: 'Cancel subscription',
      safe: 'Keep it',
      text:
        billing.state === 'active' || billing.state === 'trialing'
          ? `Everything works until ${lastDay}. After that nobody can ask, upload or invite. Your documents and people stay, and every file can still be opened and downloaded.`
          : `It ends on ${lastDay}. Your documents and people stay, and every file can still be opened and downloaded.`,
    },
    reactivate: {
      title: 'Reactivate your subscription?',
      action: 'Reactivate',
      safe: 'Not now',
      text: `Nothing is charged today. It goes on after ${lastDay}${price ? `, and costs ${priceText(price)} from then on` : ''}.`,
    },
    keep: {
      title: `${keepText(billing)}?`,
      action: keepText(billing),
      safe: 'Not now',
      text:
        scheduled &&
        `The change to ${planTitles[scheduled.plan]} on ${formatDay(scheduled.at)} is taken back. Nothing is charged today.`,
    },
  };
}

function keepText({ plan }: Billing): string {
  return plan === null ? 'Keep the plan' : `Keep ${planTitles[plan]}`;
}
