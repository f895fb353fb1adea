import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import type { Simulator, SimulatorOptions } from '#simulators/stripe/simulator.ts';
import type { Payments } from './ports/payments/port.ts';

interface OpenPayments {
  /** Null: payment is off. */
  payments: Payments | null;
  simulator: Simulator | null;
  /** The simulator's time can be moved, and what is paid until when follows. */
  paymentClock: () => Date;
  /** To be told of our address. */
  listening: (address: string) => void;
}

/**
 * The payment provider; without a key its double, which starts and stops with us and keeps what it knows in our folder.
 */
export async function openPayments(
  config: Config,
  options: SimulatorOptions | undefined,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<OpenPayments> {
  const inEarnest = { simulator: null, paymentClock: () => new Date(), listening: () => {} };
  if (config.billing === 'off') return { ...inEarnest, payments: null };
  // Some three hundred files, which nobody waits for where nothing is paid, nor for the simulator's where it is in
  // earnest.
  const { stripePayments } = await import('./ports/payments/stripe.ts');
  if (config.stripe) {
    const payments = stripePayments({ name: config.stripe.address ? 'Stripe simulator' : 'Stripe', ...config.stripe });
    payments.checkCatalogue().then(
      (problems) => {
        if (problems.length > 0) log.error({ problems }, 'the prices are not as shown: run npm run stripe:setup');
      },
      (err) => log.warn({ err }, 'the prices could not be checked'),
    );
    return { ...inEarnest, payments };
  }
  const { startSimulator } = await import('#simulators/stripe/simulator.ts');
  const simulator = await startSimulator({ file: join(config.dataDir, 'payments', 'stripe.json'), ...options });
  closers.push(() => simulator.close());
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const payments = stripePayments({
    name: 'embedded Stripe simulator',
    secretKey: 'sk_test_simulator',
    webhookSecret,
    address: { host: '127.0.0.1', port: simulator.port },
  });
  await payments.ensureCatalogue();
  return {
    payments,
    simulator,
    paymentClock: () => new Date(simulator.now() * 1000),
    listening: (address) => simulator.deliverTo(`${address}/webhooks/stripe`, webhookSecret),
  };
}
