import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Billing, cancelSubscription, reloadBilling, resumeSubscription } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { formatDay } from '#web/lib/format.ts';
import { planTitles } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { presentPrice, priceText, words } from './words.ts';

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
      if (isCancelled(error)) return;
      showAlert('problem', messageOf(error, words.didNotWork));
    },
    onSettled: () => {
      setOpened(false);
      void reloadBilling();
    },
  };
  const cancel = useMutation({
    ...cancelSubscription,
    ...told,
    onSuccess: (endsAt) => showAlert('done', words.endsOnDone(formatDay(endsAt))),
  });
  const resume = useMutation({
    ...resumeSubscription,
    ...told,
    onSuccess: () => showAlert('done', change === 'keep' ? words.planStays : words.goesOn),
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
      {billing.endsAt !== null && <Button onClick={() => ask('reactivate')}>{words.reactivate}</Button>}
      {billing.scheduled !== null && (
        <Button look="plain" onClick={() => ask('keep')}>
          {keep}
        </Button>
      )}
      {billing.endsAt === null && (
        <Button look="danger-quiet" onClick={() => ask('cancel')}>
          {words.cancelSubscription}
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
  const lastDay = end === null ? words.endOfPeriod : formatDay(end);
  const price = presentPrice(billing);
  return {
    cancel: {
      title: words.cancelTitle,
      action: words.cancelSubscription,
      safe: words.keepIt,
      text:
        billing.granted && billing.plan !== null
          ? words.cancelBesides(lastDay, planTitles[billing.plan])
          : billing.state === 'active' || billing.state === 'trialing'
            ? words.cancelText(lastDay)
            : words.cancelOverdueText(lastDay),
    },
    reactivate: {
      title: words.reactivateTitle,
      action: words.reactivate,
      safe: words.notNow,
      text: words.reactivateText(lastDay, price && priceText(price)),
    },
    keep: {
      title: `${keepText(billing)}?`,
      action: keepText(billing),
      safe: words.notNow,
      text: scheduled && words.takenBack(planTitles[scheduled.plan], formatDay(scheduled.at)),
    },
  };
}

function keepText({ plan }: Billing): string {
  return plan === null ? words.keepPlan : words.keep(planTitles[plan]);
}
