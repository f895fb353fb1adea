import type { CardBehaviour, PaymentMethodRecord } from '../world/records.ts';
import { newId } from '../world/store.ts';

/** The provider's documented test cards, and what each one does. Any other number is refused. */
const testCards: Record<string, { brand: string; behaviour: CardBehaviour }> = {
  '4242424242424242': { brand: 'visa', behaviour: 'pays' },
  '4000056655665556': { brand: 'visa', behaviour: 'pays' },
  '5555555555554444': { brand: 'mastercard', behaviour: 'pays' },
  '378282246310005': { brand: 'amex', behaviour: 'pays' },
  '4000000000000002': { brand: 'visa', behaviour: 'declines' },
  '4000000000009995': { brand: 'visa', behaviour: 'insufficient-funds' },
  '4000000000000341': { brand: 'visa', behaviour: 'fails-later' },
  '4000002500003155': { brand: 'visa', behaviour: 'authenticate-once' },
  '4000000000003220': { brand: 'visa', behaviour: 'authenticate-always' },
};

/** The tokens and ready-made payment methods that stand for a test card in the API. */
const tokens: Record<string, string> = {
  tok_visa: '4242424242424242',
  tok_mastercard: '5555555555554444',
  tok_chargeDeclined: '4000000000000002',
  tok_chargeDeclinedInsufficientFunds: '4000000000009995',
  tok_chargeCustomerFail: '4000000000000341',
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_threeDSecure2Required: '4000000000003220',
};

export interface CardDetails {
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name: string | null;
  email: string | null;
}

export interface CardProblem {
  code: string;
  message: string;
}

/** The number behind a token or a ready-made payment method; undefined when there is none of the name. */
export function numberOfToken(token: string): string | undefined {
  return tokens[token];
}

/** A new payment method from what was typed in, or what is wrong with it. */
export function readCard(card: CardDetails, now: number): PaymentMethodRecord | CardProblem {
  const number = card.number.replaceAll(/[\s-]/g, '');
  const known = testCards[number];
  if (!known) {
    return { code: 'incorrect_number', message: 'Your card number is incorrect. Use one of the test cards.' };
  }
  if (!/^\d{3,4}$/.test(card.cvc)) return { code: 'invalid_cvc', message: "Your card's security code is invalid." };
  const expYear = card.expYear < 100 ? 2000 + card.expYear : card.expYear;
  if (!Number.isInteger(card.expMonth) || card.expMonth < 1 || card.expMonth > 12) {
    return { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." };
  }
  const today = new Date(now * 1000);
  const expired =
    !Number.isInteger(expYear) ||
    expYear < today.getUTCFullYear() ||
    (expYear === today.getUTCFullYear() && card.expMonth < today.getUTCMonth() + 1);
  if (expired) return { code: 'expired_card', message: 'Your card has expired.' };
  return {
    id: newId('pm'),
    created: now,
    customer: null,
    behaviour: known.behaviour,
    brand: known.brand,
    last4: number.slice(-4),
    expMonth: card.expMonth,
    expYear,
    name: card.name,
    email: card.email,
  };
}

export type ChargeResult =
  | { outcome: 'paid' }
  | { outcome: 'authentication' }
  | { outcome: 'failed'; code: string; declineCode: string; message: string };

/**
 * Charges a card.
 * @param where `page`: its holder sits before it and can authenticate; `authenticated`: has just done so; `later`:
 * nobody
 *   is there (renewals, retries, changes through the API)
 */
export function charge(card: PaymentMethodRecord | undefined, where: 'page' | 'authenticated' | 'later'): ChargeResult {
  if (!card) return declined('card_declined', 'missing_payment_method', 'There is no payment method to charge.');
  switch (card.behaviour) {
    case 'pays':
      return { outcome: 'paid' };
    case 'declines':
      return declined('card_declined', 'generic_decline', 'Your card was declined.');
    case 'insufficient-funds':
      return declined('card_declined', 'insufficient_funds', 'Your card has insufficient funds.');
    case 'fails-later':
      return where === 'later'
        ? declined('card_declined', 'generic_decline', 'Your card was declined.')
        : { outcome: 'paid' };
    case 'authenticate-once':
      return where === 'page' ? { outcome: 'authentication' } : { outcome: 'paid' };
    case 'authenticate-always':
      return where === 'authenticated' ? { outcome: 'paid' } : { outcome: 'authentication' };
  }
}

export function declined(code: string, declineCode: string, message: string): ChargeResult & { outcome: 'failed' } {
  return { outcome: 'failed', code, declineCode, message };
}
