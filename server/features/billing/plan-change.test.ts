import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { sql } from '#server/db/drizzle.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { startTestApp } from '#server/testing/app.ts';
import { payingCompany } from '#server/testing/paying.ts';
import { startSimulator } from '#simulators/stripe/simulator.ts';

test('a preview has no connection of the database while the provider takes its time', async () => {
  const simulator = await startSimulator();
  const gate = await startGate(simulator.port);
  const stripe = {
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_test',
    address: { host: '127.0.0.1', port: gate.port },
  };
  await stripePayments({ name: 'test', ...stripe }).ensureCatalogue();
  const app = await startTestApp({ billing: 'stripe', stripe });
  const { as } = await payingCompany(app, 'basic_annual');
  await app.idle();
  const reached = gate.shut();
  const preview = app.call('previewPlanChange', { priceId: 'professional_annual' }, as);
  await reached;
  const { rows } = await app.app.db.asSystem((tx) =>
    tx.execute(sql`select query from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction' and pid <> pg_backend_pid()`),
  );
  expect(rows).toEqual([]);
  gate.open();
  expect(await preview).toMatchObject({ when: 'now' });
  await app.close();
  await simulator.close();
  gate.close();
});

/** Hands on to a port what comes, or keeps it while it is shut. */
async function startGate(port: number) {
  let way = Promise.resolve();
  let letGo = () => {};
  let noteWaiting = () => {};
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    let sent = Promise.resolve();
    from.on('data', (piece) => {
      noteWaiting();
      sent = sent.then(() => way).then(() => void to.write(piece));
    });
    to.pipe(from);
    from.on('close', () => to.destroy()).on('error', () => {});
    to.on('error', () => from.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Resolves when something waits. */
    shut(): Promise<void> {
      ({ promise: way, resolve: letGo } = Promise.withResolvers<void>());
      return new Promise((waiting) => {
        noteWaiting = waiting;
      });
    },
    open: () => letGo(),
    close: () => server.close(),
  };
}
