import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq, isNotNull, notInArray } from '#server/db/drizzle.ts';
import { companies, companyBrands, digestChoices, secondFactors, users } from '#server/db/schema.ts';
import { isTimeZone } from '#server/db/time-zone.ts';
import { audit } from '#server/features/audit/audit.ts';
import { requireCompanyName } from '#server/features/identity/company-name.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import { brandRow, logoPath } from './brand.ts';
import { writeLogo } from './logo.ts';

type Settings = CallOutput<'getCompanySettings'>;
type By = Actor & { ip: string };

/** What a company has decided about itself, and what the caller is mailed about. */
export function companySettings(db: Database, by: Actor): Promise<Settings> {
  return db.asCompany(by.companyId, (tx) => told(tx, by));
}

/** @throws AppError `invalid-company-name`, `invalid-input` for a time zone that the database does not know */
export async function updateCompany(db: Database, by: By, change: ParsedInput<'updateCompany'>): Promise<Settings> {
  if (change.name !== undefined) requireCompanyName(change.name);
  return db.asCompany(by.companyId, async (tx) => {
    // Browsers know some that PostgreSQL, which counts the days, does not.
    if (change.timeZone !== undefined && !(await isTimeZone(tx, change.timeZone))) throw new AppError('invalid-input');
    await holdCompany(tx, by.companyId);
    const { name, timeZone, mailLanguage } = await told(tx, by);
    const before = { name, timeZone, mailLanguage };
    const after = { ...before, ...change };
    await tx.update(companies).set(after).where(eq(companies.id, by.companyId));
    await audit(tx, { action: 'company-changed', by, details: { before, after } });
    return told(tx, by);
  });
}

/** @throws AppError `invalid-company-name` for a name that could not stand in a mail, `invalid-logo` */
export async function updateBrand(
  db: Database,
  by: By,
  { name, accent, logo }: ParsedInput<'updateBrand'>,
): Promise<Settings> {
  const { companyId } = by;
  if (name != null) requireCompanyName(name);
  const picture = logo === null ? { logo: null, logoHash: null } : logo === undefined ? {} : await writeLogo(logo);
  const change = { ...(name !== undefined && { name }), ...(accent !== undefined && { accent }), ...picture };
  return db.asCompany(companyId, async (tx) => {
    const before = await brandRow(tx, companyId);
    await tx
      .insert(companyBrands)
      .values({ companyId, ...change })
      // At least one column has to be named.
      .onConflictDoUpdate({ target: companyBrands.companyId, set: { companyId, ...change } });
    const after = await brandRow(tx, companyId);
    await audit(tx, { action: 'branding-changed', by, details: { before, after } });
    return told(tx, by);
  });
}

/** How long sessions may last in all, and without use; what is not given stays. */
export async function setSessionLength(
  db: Database,
  by: By,
  { days, idleMinutes }: ParsedInput<'setSessionDays'>,
): Promise<Settings> {
  return db.asCompany(by.companyId, async (tx) => {
    await holdCompany(tx, by.companyId);
    const { sessionDays, sessionIdleMinutes } = await told(tx, by);
    const before = { days: sessionDays, idleMinutes: sessionIdleMinutes };
    const after = {
      days: days === undefined ? before.days : days,
      idleMinutes: idleMinutes === undefined ? before.idleMinutes : idleMinutes,
    };
    await tx
      .update(companies)
      .set({ sessionDays: after.days, sessionIdleMinutes: after.idleMinutes })
      .where(eq(companies.id, by.companyId));
    await audit(tx, { action: 'session-length-changed', by, details: { before, after } });
    return told(tx, by);
  });
}

/**
 * Whether everybody has to have a second factor. Who has none can only set one up from then on, and what they have open
 * ends.
 * @throws AppError `own-second-factor-first`, `second-factor-elsewhere`, `recent-sign-in-required`
 */
export async function setSecondFactorRequired(
  db: Database,
  by: By,
  required: boolean,
  areOurs: boolean,
): Promise<Settings> {
  if (required && !areOurs) throw new AppError('second-factor-elsewhere');
  requireRecentSignIn(by);
  const { companyId } = by;
  return db.asCompany(companyId, async (tx) => {
    const { secondFactorRequired: before } = await told(tx, by);
    const having = tx
      .select({ userId: secondFactors.userId })
      .from(secondFactors)
      .where(isNotNull(secondFactors.confirmedAt));
    const lacking = await tx.select({ userId: users.id }).from(users).where(notInArray(users.id, having));
    // Whoever turns it on sees first how it is for the others.
    if (required && lacking.some(({ userId }) => userId === by.userId)) throw new AppError('own-second-factor-first');
    await tx.update(companies).set({ secondFactorRequired: required }).where(eq(companies.id, companyId));
    if (required) for (const { userId } of lacking) await db.notify(tx, 'people', { userId });
    await audit(tx, { action: 'second-factor-required-changed', by, details: { before, after: required } });
    return told(tx, by);
  });
}

/** What comes from now on is told of, not what was before. */
export async function setDigest(db: Database, by: Actor, choice: ParsedInput<'setDigest'>): Promise<Settings> {
  const { companyId, userId } = by;
  return db.asCompany(companyId, async (tx) => {
    const isOff = !choice.failedFiles && !choice.unanswered;
    if (isOff) await tx.delete(digestChoices).where(eq(digestChoices.userId, userId));
    else
      await tx
        .insert(digestChoices)
        .values({ companyId, userId, ...choice })
        .onConflictDoUpdate({ target: [digestChoices.companyId, digestChoices.userId], set: choice });
    return told(tx, by);
  });
}

/** Two changes at once would each write back what the other has changed. */
async function holdCompany(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

async function told(tx: Tx, { companyId, userId }: Pick<Actor, 'companyId' | 'userId'>): Promise<Settings> {
  const [company] = await tx
    .select({
      name: companies.name,
      timeZone: companies.timeZone,
      mailLanguage: companies.mailLanguage,
      sessionDays: companies.sessionDays,
      sessionIdleMinutes: companies.sessionIdleMinutes,
      secondFactorRequired: companies.secondFactorRequired,
    })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!company) throw new Error('a company without its row');
  const { name, accent, logoHash } = await brandRow(tx, companyId);
  const [digest] = await tx
    .select({ failedFiles: digestChoices.failedFiles, unanswered: digestChoices.unanswered })
    .from(digestChoices)
    .where(eq(digestChoices.userId, userId));
  return {
    ...company,
    brand: { name, accent, logoUrl: logoHash === null ? null : logoPath(companyId, logoHash) },
    digest: digest ?? { failedFiles: false, unanswered: false },
  };
}
