import type { Billing } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney } from '#web/lib/price.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Billing.module.css';
import { invoiceStates } from './words.ts';

type Invoice = Billing['invoices'][number];

const columns = [
  { title: 'Date', cell: ({ date }: Invoice) => formatDay(date) },
  { title: 'Number', cell: ({ number }: Invoice) => number ?? '–' },
  {
    title: 'Amount',
    width: '18%',
    cell: ({ amount, currency }: Invoice) => <span className={styles.sum}>{formatMoney(amount, currency)}</span>,
  },
  { title: 'State', width: '18%', cell: ({ status }: Invoice) => invoiceStates[status] },
  {
    title: 'Actions',
    width: '96px',
    end: true,
    cell: ({ url, number, status }: Invoice) =>
      url && (
        <a href={url} target="_blank" rel="noreferrer" aria-label={`${verb(status)} invoice ${number ?? ''}`.trim()}>
          {verb(status)}
        </a>
      ),
  },
];

const idOf = ({ id }: Invoice) => id;

/** What was charged. */
export function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Section heading="Invoices">
      <DataTable label="Invoices" columns={columns} rows={invoices} rowKey={idOf} instead="No invoices yet." />
    </Section>
  );
}

function verb(status: Invoice['status']): string {
  return status === 'open' ? 'Pay' : 'View';
}
