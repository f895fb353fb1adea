/**
 * `npm run company`: what whoever runs the service does to companies, also while it runs.
 *
 *   npm run company -- list
 *   npm run company -- set-plan <id> <basic|professional|enterprise|none>
 *   npm run company -- keep <id>
 *   npm run company -- reset-second-factor <email>
 *   npm run company -- second-factor-optional <id>
 *   npm run company -- sso-off <id>
 *   npm run company -- allow-any-address <id>
 */

import { planNames } from '#contract/plans.ts';
import { readConfig } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { and, desc, eq, sql } from '#server/db/drizzle.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { subscriptionOf } from '#server/features/billing/billing.ts';
import { grantPlan } from '#server/features/billing/grant.ts';
import { keepForOperator } from '#server/features/company-end/keep.ts';
import { takeSecondFactor } from '#server/features/identity/second-factor/reset.ts';
import { openPasswords } from '#server/features/identity/single-sign-on/open-passwords.ts';
import { allowAnyAddress } from '#server/features/settings/allowed-addresses.ts';
import { withDatabase } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

const usage =
  'usage: npm run company -- list | set-plan <id> <basic|professional|enterprise|none> | keep <id> | reset-second-factor <email> | second-factor-optional <id> | sso-off <id> | allow-any-address <id>';

try {
  const [command = '', whom = '', plan = ''] = process.argv.slice(2);
  const commands: Record<string, (db: Database) => Promise<void>> = {
    list,
    'set-plan': (db) => setPlan(db, whom, plan),
    keep: (db) => keep(db, whom),
    'reset-second-factor': (db) => resetSecondFactor(db, whom),
    'second-factor-optional': (db) => makeSecondFactorOptional(db, whom),
    'sso-off': (db) => makeSingleSignOnOptional(db, whom),
    'allow-any-address': (db) => letInFromAnywhere(db, whom),
  };
  const work = Object.hasOwn(commands, command) ? commands[command] : undefined;
  const planIsKnown = command !== 'set-plan' || [...planNames, 'none'].includes(plan);
  if (!work || !planIsKnown || (command !== 'list' && whom === '')) throw new CannotStart(usage);
  await withDatabase(readConfig({ BILLING: 'off', ...process.env }), work);
} catch (error) {
  tellFailure(error);
}

async function list(db: Database): Promise<void> {
  const all = await db.asSystem(async (tx) => {
    const rows = await tx.select().from(companies).orderBy(desc(companies.createdAt));
    return Promise.all(rows.map(async (row) => ({ ...row, ...(await subscriptionOf(tx, row.id)) })));
  });
  for (const { id, name, state, plan, granted, endsAt } of all) {
    const end = endsAt ? `  (deleted on ${endsAt.toISOString().slice(0, 10)})` : '';
    console.log(`${id}  ${(plan ?? '-').padEnd(12)}  ${(granted ? 'granted' : state).padEnd(10)}  ${name}${end}`);
  }
}

async function setPlan(db: Database, id: string, plan: string): Promise<void> {
  const company = await companyOf(db, id);
  await grantPlan(db, id, planNames.find((each) => each === plan) ?? null);
  const now = await db.asSystem((tx) => subscriptionOf(tx, id));
  console.log(`${company.name}: ${now.granted ? `${now.plan}, granted` : `as paid (${now.state})`}`);
}

/** Takes the end of a company back, where none of its admins can sign in any more. */
async function keep(db: Database, id: string): Promise<void> {
  const { name } = await companyOf(db, id);
  const kept = await keepForOperator(db, id);
  console.log(kept ? `${name}: kept` : `${name}: nothing to take back, or too late`);
}

/** For a person who has lost it, where no other admin can help. */
async function resetSecondFactor(db: Database, email: string): Promise<void> {
  const ofEmail = and(eq(users.email, email.toLowerCase()), eq(users.state, 'active'));
  const [user] = await db.asSystem((tx) => tx.select().from(users).where(ofEmail));
  if (!user) throw new CannotStart(`Nobody has the e-mail ${email}.`);
  const { companyId, id: userId } = user;
  await db.asSystem(async (tx) => {
    await takeSecondFactor(tx, { companyId, userId }, { by: { companyId }, at: new Date() });
    await db.notify(tx, 'people', { userId });
  });
  console.log(`${user.email}: signed out everywhere, and has no second factor any more`);
}

async function makeSecondFactorOptional(db: Database, id: string): Promise<void> {
  const company = await companyOf(db, id);
  const details = { before: company.secondFactorRequired, after: false };
  await db.asSystem(async (tx) => {
    await tx.update(companies).set({ secondFactorRequired: false }).where(eq(companies.id, company.id));
    await audit(tx, { action: 'second-factor-required-changed', by: { companyId: company.id }, details });
  });
  console.log(`${company.name}: a second factor is everybody's choice`);
}

/** Where the company's provider lets nobody in any more: passwords do again. */
async function makeSingleSignOnOptional(db: Database, id: string): Promise<void> {
  const company = await companyOf(db, id);
  const wasRequired = await openPasswords(db, company.id);
  console.log(
    `${company.name}: ${wasRequired ? 'people can sign in with passwords again' : 'passwords were not closed'}`,
  );
}

/** Where nobody of a company is left at an address of its list. */
async function letInFromAnywhere(db: Database, id: string): Promise<void> {
  const company = await companyOf(db, id);
  const hadList = await allowAnyAddress(db, company.id);
  console.log(
    `${company.name}: ${hadList ? 'people can come from any address again' : 'there was no list of addresses'}`,
  );
}

async function companyOf(db: Database, id: string): Promise<typeof companies.$inferSelect> {
  const found = await db.asSystem((tx) => tx.select().from(companies).where(sql`${companies.id}::text = ${id}`));
  const [company] = found;
  if (!company) throw new CannotStart(`There is no company ${id}. See npm run company -- list.`);
  return company;
}
