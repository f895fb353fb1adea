import type { Simulator } from '#simulators/stripe/simulator.ts';
import { submit, typedCard } from '#simulators/stripe/testing.ts';
import type { TestApp } from './app.ts';

export const goodCard = '4242424242424242';
/** Pays now, and is refused at every renewal. */
export const failsLaterCard = '4000000000000341';

/** Pays on the hosted page, past the bank's page where the card wants that; resolves with where the browser is led. */
export async function payOnPage(url: string, card = goodCard): Promise<string | null> {
  const paid = await submit(url, typedCard(card));
  const next = paid.headers.get('location');
  if (next === null || !next.endsWith('/authenticate')) return next;
  const done = await submit(new URL(next, url).href, { action: 'complete' });
  return done.headers.get('location');
}

/** A company that has paid for a plan, with its admin. */
export async function payingCompany(app: TestApp, priceId: string, card = goodCard) {
  const signedUp = await app.signUp({ companyName: 'Paying Example' });
  const as = { token: signedUp.token };
  const { url } = await app.call('createCheckoutSession', { priceId }, as);
  await payOnPage(url, card);
  await app.call('syncSubscription', null, as);
  return { ...signedUp, as };
}

/** The simulator that started with the app. */
export function simulatorOf({ app }: TestApp): Simulator {
  if (!app.simulator) throw new Error('this app takes no payment');
  return app.simulator;
}

/** Resolves when every event has come, and what it led to is done. */
export async function settled(app: TestApp): Promise<void> {
  await simulatorOf(app).delivered();
  await app.idle();
}
