import type { Billing } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney } from '#web/lib/price.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Billing.module.css';
import { invoiceStates, words } from './words.ts';

type Invoice = Billing['invoices'][number];

const columns = [
  { title: words.date, cell: ({ date }: Invoice) => formatDay(date) },
  { title: words.number, cell: ({ number }: Invoice) => number ?? '–' },
  {
    title: words.amount,
    width: '18%',
    cell: ({ amount, currency }: Invoice) => <span className={styles.sum}>{formatMoney(amount, currency)}</span>,
  },
  { title: words.state, width: '18%', cell: ({ status }: Invoice) => invoiceStates[status] },
  {
    title: words.actions,
    width: '96px',
    end: true,
    cell: ({ url, number, status }: Invoice) =>
      url && (
        <a href={url} target="_blank" rel="noreferrer" aria-label={words.invoiceAction(verb(status), number)}>
          {verb(status)}
        </a>
      ),
  },
];

const idOf = ({ id }: Invoice) => id;

/** What was charged. */
export function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Section heading={words.invoices}>
      <DataTable label={words.invoices} columns={columns} rows={invoices} rowKey={idOf} instead={words.noInvoices} />
    </Section>
  );
}

function verb(status: Invoice['status']): string {
  return status === 'open' ? words.pay : words.view;
}
