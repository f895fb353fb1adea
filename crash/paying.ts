import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { AppError } from '#contract/errors.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { payOnPage } from '#server/testing/paying.ts';
import { startSimulator } from '#simulators/stripe/simulator.ts';
import { clientOf } from '#simulators/stripe/testing.ts';
import type { Account } from './ledger.ts';

const priceId = 'professional_annual';
/** An event of the provider that came to nobody is sent again after seconds. */
const opensMs = 60_000;

/** The payment provider, which nobody kills: it runs by itself. */
export interface Provider {
  settings: Record<string, string>;
  /** Sends its events to this address from now on. */
  deliverTo(url: string): void;
  /** Pays for the account's company on the provider's page. */
  pay(client: Client, account: Account): Promise<void>;
  /** What is not as it was paid for. */
  broken(url: string, accounts: readonly Account[]): Promise<string[]>;
  close(): Promise<void>;
}

export async function startPaymentProvider(): Promise<Provider> {
  const simulator = await startSimulator();
  const webhookSecret = `whsec_${randomUUID().replaceAll('-', '')}`;
  const secretKey = 'sk_test_simulator';
  const address = { host: '127.0.0.1', port: simulator.port };
  await stripePayments({ name: 'Stripe simulator', secretKey, webhookSecret, address }).ensureCatalogue();
  const stripe = clientOf(simulator);

  return {
    settings: {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_HOST: `127.0.0.1:${simulator.port}`,
    },

    deliverTo: (url) => simulator.deliverTo(`${url}/webhooks/stripe`, webhookSecret),

    async pay(client, account) {
      const { url } = await client.call('createCheckoutSession', { priceId });
      await payOnPage(url);
      account.paid = true;
      // As the page does to which people are led back; where it fails, the provider's events say the same.
      await client.call('syncSubscription', null);
    },

    async broken(url, accounts) {
      const paying = accounts.filter(({ paid, companyId }) => paid && companyId !== undefined);
      const found: string[] = [];
      for (const account of paying) {
        const isOpen = await opens(await signedIn(url, account));
        if (!isOpen) found.push(`${account.companyName} has paid, and is not open after ${opensMs / 1000} s`);
      }
      const customers: string[] = [];
      for await (const { customer } of stripe.subscriptions.list({ status: 'all', limit: 100 }))
        customers.push(String(customer));
      const { size } = new Set(customers);
      if (size !== customers.length || size !== paying.length)
        found.push(`${paying.length} companies have paid for ${customers.length} subscriptions of ${size} customers`);
      return found;
    },

    close: () => simulator.close(),
  };
}

/** A token of a long run's beginning holds no more. */
async function signedIn(url: string, account: Account): Promise<Client> {
  const { email } = account;
  const client = createClient(url, account.idToken);
  const isIn = await client.call('getSession', null).then(
    () => true,
    (error) => (error instanceof AppError && error.code === 'unauthenticated' ? false : Promise.reject(error)),
  );
  if (isIn) return client;
  const { idToken } = await createClient(url).call('signIn', { email, password: goodPassword });
  account.idToken = idToken;
  return createClient(url, idToken);
}

async function opens(client: Client): Promise<boolean> {
  const until = Date.now() + opensMs;
  for (;;) {
    const { state } = await client.call('getBilling', null);
    if (state === 'active') return true;
    if (Date.now() > until) return false;
    await wait(500);
  }
}
