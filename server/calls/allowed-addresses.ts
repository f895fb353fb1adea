import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';

/** Of a company's list: where its people may come from, and what its admins call it. */
export interface AllowedRange {
  /** As `parseRange` writes it. */
  range: string;
  note: string;
}

/** The list of a company; null: its people may come from anywhere. */
export type AllowedRanges = readonly AllowedRange[] | null;

/** Whether somebody at this address may come in. What can't be read as an address is on no list. */
export function mayComeFrom(ranges: AllowedRanges, ip: string): boolean {
  if (ranges === null) return true;
  const address = addressOf(ip);
  return address !== null && ranges.some(({ range }) => contains(range, address));
}

/**
 * Every door asks this, or `requireAllowedAddress`: nothing of a company goes to an address that is not on its list.
 * @throws AppError `address-not-allowed`
 */
export function requireAddressIn(ranges: AllowedRanges, ip: string): void {
  if (!mayComeFrom(ranges, ip)) throw new AppError('address-not-allowed');
}

/** The same where the company is only known by its id. @throws AppError `address-not-allowed` */
export async function requireAllowedAddress(db: Database, companyId: string, ip: string): Promise<void> {
  requireAddressIn(await allowedRangesOf(db, companyId), ip);
}

/** Null also for a company that is gone, of which there is nothing to keep. */
export async function allowedRangesOf(db: Database, companyId: string): Promise<AllowedRanges> {
  const { allowedAddresses } = companies;
  const [company] = await db.asSystem((tx) =>
    tx.select({ allowedAddresses }).from(companies).where(eq(companies.id, companyId)),
  );
  return company?.allowedAddresses ?? null;
}

/**
 * A range as it is stored and compared: `203.0.113.0/24`, `2001:db8::/48`; a single address is one of its own.
 * @throws AppError `invalid-address-range`, whose text says what is wrong with which
 */
export function parseRange(written: string): string {
  const [, base = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(written.trim()) ?? [];
  // The library also takes numbers and other ways of writing in which a mistake can hide.
  if (isIP(base) === 0 || base.includes('%')) throw invalid(`"${written}" is not an address or range of addresses.`);
  const whole = ipaddr.parse(base);
  const given = length === undefined ? bitsOf(whole) : Number(length);
  if (given > bitsOf(whole))
    throw invalid(`"${written}" is longer than an address: it ends with /${bitsOf(whole)} at most.`);
  // Everybody is met by their IPv4 address, however it was written on the way.
  const mapped = whole instanceof ipaddr.IPv6 && whole.isIPv4MappedAddress() && given >= 96;
  const address = mapped ? whole.toIPv4Address() : whole;
  const bits = mapped ? given - 96 : given;
  if (bits === 0)
    throw invalid(`"${written}" is every address there is. To let people in from anywhere, remove the list.`);
  const range = `${networkOf(address, bits)}/${bits}`;
  if (networkOf(address, bits) !== address.toString())
    throw invalid(`"${written}" names an address within a range. Did you mean ${range}?`, range);
  return range;
}

/** How the caller's address stands on a list: IPv4 as IPv4, without the name of a network card; null: it is none. */
export function addressOf(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [plain = ''] = ip.split('%');
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, bits] = ipaddr.parseCIDR(range);
  return base.kind() === address.kind() && address.match(base, bits);
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const cidr = `${address.toString()}/${bits}`;
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(cidr).toString();
}

function bitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function invalid(message: string, meant?: string): AppError {
  return new AppError('invalid-address-range', { message, ...(meant !== undefined && { details: { meant } }) });
}
