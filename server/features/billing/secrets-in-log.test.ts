import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '#server/http/log.ts';
import { stripePayments } from '#server/ports/payments/stripe.ts';
import { startTestApp } from '#server/testing/app.ts';
import { goodCard, payingCompany } from '#server/testing/paying.ts';
import { startSimulator } from '#simulators/stripe/simulator.ts';

test('no key, secret, signature or card is ever logged, at whatever level and whatever fails', async () => {
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const simulator = await startSimulator();
  const address = { host: '127.0.0.1', port: simulator.port };
  const stripe = { secretKey: 'sk_test_keyOfTheAccount', webhookSecret: 'whsec_secretOfTheWebhook', address };
  await stripePayments({ name: 'test', ...stripe }).ensureCatalogue();
  const app = await startTestApp({ billing: 'stripe', stripe }, { log: createLog('trace', sink) });
  simulator.deliverTo(`${app.url}/webhooks/stripe`, stripe.webhookSecret);
  const { as } = await payingCompany(app, 'basic_annual');
  await simulator.delivered();
  await app.idle();

  const signature = 't=1,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const forged = await app.fetch('/webhooks/stripe', { method: 'POST', headers, body: '{"id":"evt_1"}' });
  expect(forged.status).toBe(400);
  await simulator.close();
  await expect(app.call('syncSubscription', null, as)).rejects.toMatchObject({ code: 'unavailable' });
  await app.close();

  // What is searched is there: calls and failures were logged.
  expect(logged).toContain('"call":"syncSubscription"');
  expect(logged).toContain('"call":"createCheckoutSession"');
  for (const secret of [stripe.secretKey, stripe.webhookSecret, signature.slice(7), goodCard]) {
    expect(logged.includes(secret) ? secret : '').toBe('');
  }
});
