import { isUuid } from '#server/lib/is-uuid.ts';

/** Host names in small letters, each with the id of the company whose brand its pages show before anyone signs in. */
export type BrandHosts = ReadonlyMap<string, string>;

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads what `BRAND_HOSTS` says: `wissen.nordwind.example=<company id>, …`.
 * @returns null where it can't be meant, or names a host twice
 */
export function brandHosts(written: string): BrandHosts | null {
  const hosts = new Map<string, string>();
  for (const entry of written.split(',').map((each) => each.trim().toLowerCase())) {
    if (entry === '') continue;
    const [host = '', id = '', ...more] = entry.split('=').map((part) => part.trim());
    if (!hostName.test(host) || !isUuid(id) || more.length > 0 || hosts.has(host)) return null;
    hosts.set(host, id);
  }
  return hosts;
}

/** Where the pages of a host name are: as the public address, under the other name. */
export function originOf(host: string, publicUrl: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}

/** The origins of all of them. */
export function brandOrigins({ brandHosts, publicUrl }: { brandHosts: BrandHosts; publicUrl: string }): string[] {
  return [...brandHosts.keys()].map((host) => originOf(host, publicUrl));
}
