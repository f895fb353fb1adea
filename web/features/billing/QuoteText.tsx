import type { Billing, Quote } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney } from '#web/lib/price.ts';
import styles from './Billing.module.css';
import { priceText, words } from './words.ts';

/** What is charged for a change, when, and to which card; and what each period costs from then on. */
export function QuoteText({ quote, card }: { quote: Quote; card: Billing['card'] }) {
  const { when, at, amountDue, currency, lines, nextAmount, period } = quote;
  const later = priceText({ amount: nextAmount, currency, period });
  if (when === 'period-end') {
    return (
      <p>
        {words.laterBefore} {formatDay(at)}
        {words.laterBetween} {later}.
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
            <th scope="row">{words.chargedNow}</th>
            <td>{formatMoney(amountDue, currency)}</td>
          </tr>
        </tfoot>
      </table>
      <p>
        {amountDue > 0 && card && words.cardCharged(card.last4)}
        {words.takesEffect} {later}.
      </p>
    </>
  );
}
