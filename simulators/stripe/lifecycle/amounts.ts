import type { InvoiceRecord } from '../world/records.ts';

/** An invoice's sums in cents, after what the customer has as credit. */
export function amounts(invoice: Pick<InvoiceRecord, 'lines' | 'startingBalance' | 'status'>): {
  total: number;
  due: number;
  paid: number;
  remaining: number;
  endingBalance: number;
} {
  const total = invoice.lines.reduce((sum, { amount }) => sum + amount, 0);
  const withBalance = total + invoice.startingBalance;
  const due = Math.max(0, withBalance);
  const paid = invoice.status === 'paid' ? due : 0;
  return { total, due, paid, remaining: due - paid, endingBalance: Math.min(0, withBalance) };
}
