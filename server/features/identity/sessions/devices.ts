import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** A mark that a browser keeps, saying that an account's owner has used it. */
export interface DeviceMark {
  value: string;
  expiresAt: Date;
}

const lifetimeMs = 180 * 86_400_000;

/**
 * Marks of browsers in which an account's owner has proved who they are (OWASP's "device cookies"): they keep an
 * attacker's guesses from locking the owner out. A mark names no account; it only fits the one that it was made for.
 */
export function createDevices(secret: Uint8Array, clock: () => Date) {
  const seal = (id: string, expires: string, email: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([id, expires, email]))
      .digest();

  return {
    /** @param mark the one that the browser has; renewed when it is of this account, so that its budget stays one. */
    mark(email: string, mark: string | undefined): DeviceMark {
      const id = idOf(email, mark) ?? randomUUID();
      const expiresAt = new Date(clock().getTime() + lifetimeMs);
      const expires = expiresAt.getTime().toString(36);
      return { value: `${id}.${expires}.${seal(id, expires, email).toString('base64url')}`, expiresAt };
    },

    idOf,
  };

  /** The browser's id, when its mark is of this account; null for any other, expired or made up. */
  function idOf(email: string, mark: string | undefined): string | null {
    const [id = '', expires = '', sealed = ''] = (mark ?? '').split('.');
    const given = Buffer.from(sealed, 'base64url');
    const right = seal(id, expires, email);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    return Number.parseInt(expires, 36) > clock().getTime() ? id : null;
  }
}
