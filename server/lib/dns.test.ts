import { stat } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startNameServer } from '#server/testing/name-server.ts';
import { addressResolver, txtResolver } from './dns.ts';

async function nameServer() {
  const server = await startNameServer();
  onTestFinished(() => server.close());
  return server;
}

test('asks the name server for addresses and texts of a name', async () => {
  const server = await nameServer();
  server.addresses.set('hooks.example', '192.0.2.7');
  server.records.set('company.example', 'a proof');
  const addressesOf = addressResolver(server.address);
  const { signal } = new AbortController();
  expect(await addressesOf('hooks.example', signal)).toEqual(['192.0.2.7']);
  await expect(addressesOf('absent.example', signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  // The hosts file of every machine knows it, and no name server has to.
  await expect(addressesOf('localhost', signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(await txtResolver(server.address)('company.example')).toEqual(['a proof']);
});

test('while a name server is silent nothing else waits, and who gives up waits no longer', async () => {
  const server = await nameServer();
  server.fallSilent();
  const addressesOf = addressResolver(server.address);
  const leaving = new AbortController();
  let answered = 0;
  const looks = Array.from({ length: 50 }, async (_, at) => {
    const look = addressesOf(`silent-${at}.example`, leaving.signal);
    await expect(look).rejects.toMatchObject({ code: 'ECANCELLED' });
    answered += 1;
  });
  await expect.poll(server.asked).toBeGreaterThan(50);
  // It takes one of the threads that looking up a name as the system does would hold.
  await stat('.');
  expect(answered).toBe(0);
  leaving.abort();
  await Promise.all(looks);
});
