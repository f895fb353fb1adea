import { useMutation, useQuery } from '@tanstack/react-query';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { type Billing, changePlan, type Quote, quoteQuery } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import type { Price } from '#web/api/prices.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney, periodTitles, planTitles } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { QuoteText } from './QuoteText.tsx';
import { SeatsInUse } from './SeatsInUse.tsx';
import { words } from './words.ts';

interface PlanChangeProps {
  price: Price;
  billing: Billing;
  onClose: () => void;
}

/** Shows what a change of plan costs, and makes it as shown once that is confirmed. */
export function PlanChange({ opened, ...change }: PlanChangeProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={change.onClose} title={words.changeTitle(nameOf(change.price))} closable={false}>
      <Change {...change} />
    </Dialog>
  );
}

/** What stands in the window: each time that it opens the price is asked for anew. */
function Change({ price, billing, onClose }: PlanChangeProps) {
  const priceId = price.priceId ?? '';
  const asked = useQuery(quoteQuery(priceId));
  const quote = asked.isFetching ? undefined : asked.data;
  const change = useMutation({
    ...changePlan,
    onSuccess: ({ status, url }, { quote: made }) => {
      if (status === 'payment-required' && url !== null) return;
      showAlert('done', doneText(made));
      onClose();
    },
    onError: (error) => {
      // Looked at again with the new amount, before anything is charged.
      if (error instanceof AppError && error.code === 'quote-outdated') void asked.refetch();
    },
  });
  const invoiceUrl = change.data?.status === 'payment-required' ? change.data.url : null;
  const error = (asked.isFetching ? null : asked.error) ?? change.error;
  const problem = error && asProblem(error);

  return (
    <>
      {invoiceUrl !== null ? (
        <PaymentRequired url={invoiceUrl} />
      ) : (
        <>
          {problem !== null && <Problem problem={problem} />}
          {quote ? (
            <QuoteText quote={quote} card={billing.card} />
          ) : (
            problem === null && <Skeleton label={messages.common.loading} lines={4} />
          )}
        </>
      )}
      <DialogActions>
        <Button look="plain" onClick={onClose} data-autofocus>
          {invoiceUrl !== null ? words.close : words.cancel}
        </Button>
        {invoiceUrl === null && quote && (
          <Button onClick={() => change.mutate({ priceId, quote })} pending={change.isPending}>
            {change.isPending ? messages.pricing.processing : verb(quote)}
          </Button>
        )}
        {invoiceUrl === null && !quote && problem !== null && !isFinal(problem) && (
          <Button
            onClick={() => {
              change.reset();
              void asked.refetch();
            }}
          >
            {words.tryAgain}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** The bank wants to hear it from the card's holder, or has refused. */
function PaymentRequired({ url }: { url: string }) {
  return (
    <Notice kind="info" title={words.notComplete}>
      {words.bankRefused}{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {words.payInvoice}
      </a>
    </Notice>
  );
}

function Problem({ problem }: { problem: AppError | string }) {
  if (typeof problem === 'string') return <Notice kind="problem">{problem}</Notice>;
  if (problem.code === 'seats-in-use') return <SeatsInUse problem={problem} />;
  return <Notice kind="problem">{problem.message}</Notice>;
}

function asProblem(error: unknown): AppError | string {
  return error instanceof AppError && error.code !== 'internal' ? error : messageOf(error, words.didNotWork);
}

/** Whether asking again can't help. */
function isFinal(problem: AppError | string): boolean {
  return problem instanceof AppError && problem.code !== 'unavailable' && problem.code !== 'deadline-exceeded';
}

function verb({ when, at, amountDue, currency }: Quote): string {
  if (when === 'period-end') return words.changeOn(formatDay(at));
  return amountDue > 0 ? words.payAndChange(formatMoney(amountDue, currency)) : words.changeNow;
}

function doneText({ when, at, plan, period }: Quote): string {
  const name = nameOf({ plan, period });
  return when === 'now' ? words.planIsNow(name) : words.planChanges(name, formatDay(at));
}

function nameOf({ plan, period }: Pick<Price, 'plan' | 'period'>): string {
  return `${planTitles[plan]}, ${periodTitles[period].toLowerCase()}`;
}
