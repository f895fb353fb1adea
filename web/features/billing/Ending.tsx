import { type ReactNode, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { type Billing, reloadBilling } from '#web/api/billing.ts';
import { call, messageOf } from '#web/api/call.ts';
import { formatDay } from '#web/lib/format.ts';
import { planTitles } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { presentPrice, priceText } from './words.ts';

type Deed = 'cancel' | 'reactivate' | 'keep';

/** Ends the subscription with its period; or, as long as that lasts, takes back the end or the change that was planned. */
export function Ending({ billing }: { billing: Billing }) {
  const [deed, setDeed] = useState<Deed>('cancel');
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const ask = (what: Deed) => {
    setDeed(what);
    setOpened(true);
  };
  const act = async () => {
    if (busy) return;
    setBusy(true);
    try {
      showAlert('done', await doIt(deed));
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'cancelled')) {
        showAlert('problem', messageOf(error, 'That did not work. Please try again.'));
      }
    } finally {
      setBusy(false);
      setOpened(false);
      void reloadBilling();
    }
  };

  const keep = keepText(billing);
  const { title, action, safe, text } = questions(billing)[deed];
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
        harmless={deed !== 'cancel'}
        pending={busy}
        onConfirm={() => void act()}
        onCancel={() => setOpened(false)}
      >
        <p>{text}</p>
      </Confirm>
    </>
  );
}

/** Does it, and says what is so now. */
async function doIt(deed: Deed): Promise<string> {
  if (deed === 'cancel') {
    const { endsAt } = await call('cancelSubscription', null, { retry: false });
    return `Your subscription ends on ${formatDay(endsAt)}.`;
  }
  await call('resumeSubscription', null, { retry: false });
  return deed === 'keep' ? 'Your plan stays as it is.' : 'Your subscription goes on.';
}

interface Question {
  title: string;
  action: string;
  /** The word on the button that does nothing. */
  safe: string;
  text: ReactNode;
}

function questions(billing: Billing): Record<Deed, Question> {
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
