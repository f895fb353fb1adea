import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

/** RFC 6238 and 4226 as they are written, to hold the library against. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', Buffer.from(Secret.fromBase32(secret).bytes))
    .update(counter)
    .digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const at = (step: number, seconds = 0) => new Date((step * 30 + seconds) * 1000);
const secretOf = (bytes: Buffer) => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;

test('codes are those of the RFC', () => {
  // Appendix B, of which authenticator apps show the last six of eight digits.
  const secret = secretOf(Buffer.from('12345678901234567890'));
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30);
    expect(codeAt(secret, step)).toBe(code);
    expect(totpStep(secret, code, { at: new Date(seconds * 1000), after: 0 })).toBe(step);
  }
});

test('1,000 seeds at 1,000 times', () => {
  for (let n = 0; n < 1000; n += 1) {
    const secret = newTotpSecret();
    const step = 1 + randomBytes(4).readUInt32BE();
    expect(totpStep(secret, codeAt(secret, step), { at: at(step, n % 30), after: 0 })).toBe(step);
  }
});

const hasOathtool = spawnSync('oathtool', ['--version']).status === 0;
test.runIf(hasOathtool)('1,000 seeds at 1,000 times, by another program', { timeout: 60_000 }, () => {
  for (let n = 0; n < 1000; n += 1) {
    const secret = newTotpSecret();
    const step = 1 + (randomBytes(4).readUInt32BE() >>> 1);
    const now = `${at(step, n % 30)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ')} UTC`;
    const { stdout } = spawnSync('oathtool', ['--totp', '-b', '--now', now, secret]);
    expect(totpStep(secret, String(stdout).trim(), { at: at(step, n % 30), after: 0 })).toBe(step);
  }
});

describe('a code', () => {
  const secret = newTotpSecret();
  const step = 60_000_000;

  test('counts in the step before and after its own, and in no other', () => {
    const counts = (given: number) => totpStep(secret, codeAt(secret, given), { at: at(step), after: 0 });
    expect([-1, 0, 1].map((each) => counts(step + each))).toEqual([step - 1, step, step + 1]);
    expect([-3, -2, 2, 3].map((each) => counts(step + each))).toEqual([null, null, null, null]);
  });

  test('counts once, and no earlier one after it', () => {
    const used = (given: number) => totpStep(secret, codeAt(secret, given), { at: at(step), after: step });
    expect([-1, 0, 1].map((each) => used(step + each))).toEqual([null, null, step + 1]);
  });

  test('of another secret, or what is no code, is none', () => {
    for (const code of [codeAt(newTotpSecret(), step), '', '12345', '1234567', 'abcdef', '-12345', '１２３４５６'])
      expect(totpStep(secret, code, { at: at(step), after: 0 })).toBeNull();
  });
});

test('the address for apps names the product and the person, whatever they are called', () => {
  const uri = new URL(totpUri('JBSWY3DPEHPK3PXP', { issuer: 'Acme: Wissen & Co', label: 'ann+1@example.com' }));
  expect(decodeURIComponent(uri.pathname)).toContain('Acme  Wissen & Co:ann+1@example.com');
  expect(uri.searchParams.get('secret')).toBe('JBSWY3DPEHPK3PXP');
  expect(uri.searchParams.get('issuer')).toBe('Acme  Wissen & Co');
});
