import { useEffect, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { type Billing, type Price, type Quote, reloadBilling } from '#web/api/billing.ts';
import { call, messageOf } from '#web/api/call.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney, periodTitles, planTitles } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { QuoteText } from './QuoteText.tsx';
import { SeatsInUse } from './SeatsInUse.tsx';

interface PlanChangeProps {
  price: Price;
  billing: Billing;
  opened: boolean;
  onClose: () => void;
}

/** Shows what a change of plan costs, and makes it as shown once that is confirmed. */
export function PlanChange({ price, billing, opened, onClose }: PlanChangeProps) {
  const [quote, setQuote] = useState<Quote | null>(null);
  const [problem, setProblem] = useState<AppError | string | null>(null);
  const [invoiceUrl, setInvoiceUrl] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const priceId = price.priceId ?? '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    if (!opened) return;
    const leaving = new AbortController();
    setQuote(null);
    call('previewPlanChange', { priceId }, { signal: leaving.signal, retry: false })
      .then(setQuote)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setProblem(asProblem(error));
      });
    return () => leaving.abort();
  }, [opened, priceId, round]);

  const close = () => {
    setProblem(null);
    setInvoiceUrl(null);
    onClose();
  };
  const change = async () => {
    if (!quote || busy) return;
    setBusy(true);
    setProblem(null);
    const { amountDue, prorationDate } = quote;
    try {
      const { status, url } = await call('changePlan', { priceId, amountDue, prorationDate });
      void reloadBilling();
      if (status === 'payment-required' && url !== null) return setInvoiceUrl(url);
      showAlert('done', doneText(quote));
      close();
    } catch (error) {
      const found = asProblem(error);
      setProblem(found);
      // Looked at again with the new amount, before anything is charged.
      if (found instanceof AppError && found.code === 'quote-outdated') setRound(round + 1);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog opened={opened} onClose={close} title={`Change to ${nameOf(price)}?`} closable={false}>
      {invoiceUrl !== null ? (
        <PaymentRequired url={invoiceUrl} />
      ) : (
        <>
          {problem !== null && <Problem problem={problem} />}
          {quote ? (
            <QuoteText quote={quote} card={billing.card} />
          ) : (
            problem === null && <EmptyState>{messages.common.loading}</EmptyState>
          )}
        </>
      )}
      <DialogActions>
        <Button look="plain" onClick={close} data-autofocus>
          {invoiceUrl !== null ? 'Close' : 'Cancel'}
        </Button>
        {invoiceUrl === null && quote && (
          <Button onClick={() => void change()} pending={busy}>
            {busy ? messages.pricing.processing : verb(quote)}
          </Button>
        )}
        {invoiceUrl === null && !quote && problem !== null && !isFinal(problem) && (
          <Button
            onClick={() => {
              setProblem(null);
              setRound(round + 1);
            }}
          >
            Try again
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The bank wants to hear it from the card's holder, or has refused. */
function PaymentRequired({ url }: { url: string }) {
  return (
    <Notice kind="info" title="The payment is not complete">
      Your bank has refused it, or asks you to confirm it. Your plan changes as soon as the invoice is paid.{' '}
      <a href={url} target="_blank" rel="noreferrer">
        Pay the invoice
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
  return error instanceof AppError && error.code !== 'internal'
    ? error
    : messageOf(error, 'That did not work. Please try again.');
}

/** Whether asking again can't help. */
function isFinal(problem: AppError | string): boolean {
  return problem instanceof AppError && problem.code !== 'unavailable' && problem.code !== 'deadline-exceeded';
}

function verb({ when, at, amountDue, currency }: Quote): string {
  if (when === 'period-end') return `Change on ${formatDay(at)}`;
  return amountDue > 0 ? `Pay ${formatMoney(amountDue, currency)} and change` : 'Change now';
}

function doneText({ when, at, plan, period }: Quote): string {
  const name = nameOf({ plan, period });
  return when === 'now' ? `Your plan is now ${name}.` : `Your plan changes to ${name} on ${formatDay(at)}.`;
}

function nameOf({ plan, period }: Pick<Price, 'plan' | 'period'>): string {
  return `${planTitles[plan]}, ${periodTitles[period].toLowerCase()}`;
}
