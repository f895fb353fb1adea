import ipaddr from 'ipaddr.js';

/**
 * What of their own network operators let companies name: ranges of addresses, hosts, and origins without encryption.
 */
export interface OutboundAllowed {
  /** Of addresses, each as `ipaddr.js` reads it. */
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  /** Names that may lead to any address, in small letters. */
  hosts: ReadonlySet<string>;
  /** Origins that may be asked by plain http, as `URL.origin` writes them. */
  origins: ReadonlySet<string>;
}

export const nothingAllowed: OutboundAllowed = { ranges: [], hosts: new Set(), origins: new Set() };

/**
 * Reads what `OUTBOUND_ALLOW` says: `10.20.0.0/16, idp.internal, http://idp.internal:8080`.
 * @returns null where it can't be meant
 */
export function outboundAllowed(written: string): OutboundAllowed | null {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const hosts = new Set<string>();
  const origins = new Set<string>();
  for (const entry of written.split(',').map((each) => each.trim().toLowerCase())) {
    if (entry === '') continue;
    if (/^https?:\/\//.test(entry)) {
      const url = URL.canParse(entry) ? new URL(entry) : null;
      if (!url || url.href !== `${url.origin}/` || url.protocol !== 'http:') return null;
      origins.add(url.origin);
    } else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else if (isAddress(entry)) ranges.push([ipaddr.parse(entry), entry.includes(':') ? 128 : 32]);
    else if (hostName.test(entry)) hosts.add(entry);
    else return null;
  }
  return { ranges, hosts, origins };
}

/**
 * Whether an address is one of the internet at large. What could mean a machine of ours in another way of writing
 * (mapped, translated, tunnelled) is none: of IPv6 only what is handed out (2000::/3) is, and no special part of that.
 */
export function isPublicAddress(written: string): boolean {
  if (!ipaddr.isValid(written)) return false;
  const address = ipaddr.process(written);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(handedOut);
}

/** Whether the operator has let it be reached all the same. */
export function isAllowedAddress(written: string, { ranges }: Pick<OutboundAllowed, 'ranges'>): boolean {
  if (!ipaddr.isValid(written)) return false;
  const address = ipaddr.process(written);
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

const handedOut = ipaddr.parseCIDR('2000::/3');
const hostName = /^(?=.{1,253}$)(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** In one of the two usual ways of writing: the library also takes numbers that a mask can be forgotten in. */
function isAddress(written: string): boolean {
  return written.includes(':') ? ipaddr.IPv6.isValid(written) : ipaddr.IPv4.isValidFourPartDecimal(written);
}
