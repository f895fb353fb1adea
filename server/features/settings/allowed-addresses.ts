import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { type AllowedRanges, addressOf, mayComeFrom, parseRange } from '#server/calls/allowed-addresses.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';

type Settings = CallOutput<'getAllowedAddresses'>;
type By = Actor & { ip: string };

const maxRanges = 100;

/** Where the company's people may come from. */
export function allowedAddresses(db: Database, by: By): Promise<Settings> {
  return db.asCompany(by.companyId, async (tx) => told(await listOf(tx, by.companyId), by));
}

/**
 * What people have open elsewhere ends with the commit.
 * @throws AppError `invalid-address-range`, `too-many-address-ranges`, `own-address-missing`, `recent-sign-in-required`
 */
export async function saveAllowedAddresses(
  db: Database,
  by: By,
  { ranges: given }: ParsedInput<'saveAllowedAddresses'>,
): Promise<Settings> {
  requireRecentSignIn(by);
  // A range that is named twice keeps its last note.
  const ranges = [...new Map(given.map(({ range, note = '' }) => [parseRange(range), note]))].map(([range, note]) => ({
    range,
    note,
  }));
  if (ranges.length > maxRanges) throw new AppError('too-many-address-ranges');
  if (!mayComeFrom(ranges, by.ip)) {
    const message = `Your own address, ${shown(by.ip)}, has to be on the list, or you would lock yourself out.`;
    throw new AppError('own-address-missing', { message });
  }
  return change(db, by, ranges);
}

/**
 * Possible without the plan, too: whoever has no use for it any more gives it up.
 * @throws AppError `recent-sign-in-required`
 */
export async function removeAllowedAddresses(db: Database, by: By): Promise<Settings> {
  requireRecentSignIn(by);
  return change(db, by, null);
}

/** For the operator, where a company has nobody left at an address of its list. @returns whether there was one */
export function allowAnyAddress(db: Database, companyId: string): Promise<boolean> {
  return db.asSystem(async (tx) => {
    const before = await listOf(tx, companyId);
    if (before === null) return false;
    await tx.update(companies).set({ allowedAddresses: null }).where(eq(companies.id, companyId));
    const details = { before: ranged(before), after: [] };
    await audit(tx, { action: 'allowed-addresses-changed', by: { companyId }, details });
    return true;
  });
}

function change(db: Database, by: By, ranges: AllowedRanges): Promise<Settings> {
  const { companyId } = by;
  return db.asCompany(companyId, async (tx) => {
    const before = await listOf(tx, companyId, true);
    await tx
      .update(companies)
      .set({ allowedAddresses: ranges && [...ranges] })
      .where(eq(companies.id, companyId));
    const details = { before: ranged(before), after: ranged(ranges) };
    await audit(tx, { action: 'allowed-addresses-changed', by, details });
    await db.notify(tx, 'addresses', { companyId });
    return told(ranges, by);
  });
}

async function listOf(tx: Tx, companyId: string, locked = false): Promise<AllowedRanges> {
  const found = tx.select({ list: companies.allowedAddresses }).from(companies).where(eq(companies.id, companyId));
  const [company] = await (locked ? found.for('no key update') : found);
  return company?.list ?? null;
}

function told(ranges: AllowedRanges, { ip }: By): Settings {
  return { ranges: [...(ranges ?? [])], yourAddress: shown(ip) };
}

/** As it would stand on the list. */
function shown(ip: string): string {
  return addressOf(ip)?.toString() ?? ip;
}

function ranged(ranges: AllowedRanges): string[] {
  return (ranges ?? []).map(({ range, note }) => (note === '' ? range : `${range} ${note}`));
}
