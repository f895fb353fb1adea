import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Leaves of `X-Forwarded-For` the addresses alone, from the right, where the nearest proxy writes, up to the first
 * entry that is none: a client can send any text, which would then stand in the audit log and be counted as an address
 * of its own. Where nothing is left it names the connection's own address, since that a proxy was there must still be
 * seen.
 */
export function keepAddresses({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): void {
  const written = headers['x-forwarded-for'];
  if (written === undefined) return;
  const entries = (Array.isArray(written) ? written.join(',') : written).split(',').map(addressIn);
  const addresses = entries.slice(entries.lastIndexOf(null) + 1);
  headers['x-forwarded-for'] = addresses.join(', ') || (socket.remoteAddress ?? '');
}

/**
 * The address in an entry, which may have a port behind it; IPv4 as IPv4, also where it is written as IPv6; null: none.
 */
export function addressIn(entry: string): string | null {
  const text = entry.trim();
  const withPort = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text);
  const address = (withPort?.[1] ?? text).toLowerCase();
  // A zone means something on the machine that wrote it, and may be any text.
  if (isIP(address) === 0 || address.includes('%')) return null;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}
