import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;

/** A new secret of 160 random bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  // A colon parts the one from the other.
  const named = { issuer: issuer.replaceAll(':', ' '), label: label.replaceAll(':', ' ') };
  return new TOTP({ ...named, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * The step (of RFC 6238, half minutes since the epoch) whose code it is; null for a wrong one.
 * @param after of the code that was used last: one that is not later is refused, so that each works once. The step
 * before and the one after now count, too, since clocks differ.
 */
export function totpStep(secret: string, code: string, { at, after }: { at: Date; after: number }): number | null {
  // Other digits than these are as many letters, and not as many bytes.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: at.getTime(), window: 1 });
  if (delta === null) return null;
  const step = Math.floor(at.getTime() / 1000 / periodSeconds) + delta;
  return step > after ? step : null;
}
