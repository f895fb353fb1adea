/**
 * `npm run stripe:setup`: makes the products and prices of the pricing page in the Stripe account of STRIPE_SECRET_KEY,
 * and the address to which it sends events. Safe to repeat: what is there and right stays as it is.
 */
import { stripeHost } from '#server/config/stripe-host.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';

const { STRIPE_SECRET_KEY: secretKey, STRIPE_HOST: host, PUBLIC_URL: publicUrl } = process.env;
if (!secretKey) {
  console.error('Please set STRIPE_SECRET_KEY to the secret key of the account (sk_test_… or sk_live_…).');
  process.exit(1);
}
const payments = stripePayments({
  name: 'Stripe',
  secretKey,
  webhookSecret: '',
  ...(host && { address: stripeHost(host) }),
});

const made = await payments.ensureCatalogue();
console.log(made.length > 0 ? `Made: ${made.join(', ')}.` : 'All products and prices are there, as they are shown.');

if (publicUrl?.startsWith('https://') || host) {
  const url = `${new URL(publicUrl ?? 'http://localhost:3000').origin}/webhooks/stripe`;
  const secret = await payments.ensureWebhook(url);
  console.log(
    secret === null
      ? `Events are sent to ${url}; its secret is shown in the Dashboard.`
      : `Events will be sent to ${url}. Set this, which is not shown again:\n\nSTRIPE_WEBHOOK_SECRET=${secret}`,
  );
} else {
  console.log('Set PUBLIC_URL to the https:// address of the service and run this again, to have events sent there.');
}
