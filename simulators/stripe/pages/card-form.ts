import { type CardProblem, readCard } from '../lifecycle/cards.ts';
import { paymentMethod } from '../resources/payment-methods/serialize.ts';
import { emit } from '../world/events.ts';
import type { PaymentMethodRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** The card that was typed in, or what is wrong with it. */
export function cardOfForm(world: World, form: Record<string, string>): PaymentMethodRecord | CardProblem {
  return readCard(
    {
      number: form.card_number ?? '',
      expMonth: Number(form.exp_month),
      expYear: Number(form.exp_year),
      cvc: form.cvc ?? '',
      name: form.name || null,
      email: form.email || null,
    },
    world.clock.now(),
  );
}

/** Gives the card to the customer. */
export function keepCard(world: World, card: PaymentMethodRecord, customer: string): void {
  card.customer = customer;
  world.store.paymentMethods.set(card.id, card);
  emit(world, 'payment_method.attached', paymentMethod(card));
}
