import { expect, test } from 'vitest';
import { isAllowedAddress, isPublicAddress, outboundAllowed } from './public-address.ts';

test.each([
  '127.0.0.1',
  '127.9.8.7',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::1',
  '2001::7f00:1',
  '2001:db8::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '',
  'localhost',
  'example.com',
])('%j is not an address of the internet at large', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '169.253.1.1',
  '100.128.0.1',
  '::ffff:8.8.8.8',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('%j is', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('what the operator allows is read as it is meant', () => {
  const allowed = outboundAllowed(' 10.20.0.0/16, 192.168.7.7,fd12::/16, ::1, IdP.internal ,http://idp.internal:8080,');
  if (!allowed) throw new Error('not read');
  const inside = ['10.20.255.1', '192.168.7.7', '::ffff:10.20.0.1', 'fd12::9', '::1'];
  const outside = ['10.21.0.1', '192.168.7.8', 'fd13::1', '::2', '127.0.0.1', '::a14:1', 'idp.internal', ''];
  for (const each of inside) expect(isAllowedAddress(each, allowed), each).toBe(true);
  for (const each of outside) expect(isAllowedAddress(each, allowed), each).toBe(false);
  expect([...allowed.hosts]).toEqual(['idp.internal']);
  expect([...allowed.origins]).toEqual(['http://idp.internal:8080']);
});

test.each([
  'https://idp.internal',
  'http://idp.internal/path',
  'http://user@idp.internal',
  'ftp://idp.internal',
  'idp.internal:8080',
  '10.0.0.0/33',
  '10.1',
  '2130706433',
  'two words',
  '*',
])('%j can not be meant', (written) => {
  expect(outboundAllowed(written)).toBeNull();
});
