import type { Billing, Quote } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney } from '#web/lib/price.ts';
import styles from './Billing.module.css';
import { priceText } from './words.ts';

/** What is charged for a change, when, and to which card; and what each period costs from then on. */
export function QuoteText({ quote, card }: { quote: Quote; card: Billing['card'] }) {
  const { when, at, amountDue, currency, lines, nextAmount, period } = quote;
  const later = priceText({ amount: nextAmount, currency, period });
  if (when === 'period-end') {
    return (
      <p>
        Nothing is charged today. Your present plan stays until {formatDay(at)}, which is paid for. From then on you pay{' '}
        {later}.
      </p>
    );
  }
  return (
    <>
      <table className={styles.quote}>
        <tbody>
          {lines.map(({ description, amount }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines come together and never move
            <tr key={index}>
              <td>{description}</td>
              <td>{formatMoney(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Charged now</th>
            <td>{formatMoney(amountDue, currency)}</td>
          </tr>
        </tfoot>
      </table>
      <p>
        {amountDue > 0 && card && `The card ending in ${card.last4} is charged. `}The change takes effect at once; after
        that you pay {later}.
      </p>
    </>
  );
}
