/**
 * `npm run company`: what whoever runs the service does to companies, also while it runs.
 *
 *   npm run company -- list
 *   npm run company -- set-plan <id> <basic|professional|enterprise|none>
 */
import { desc, sql } from 'drizzle-orm';
import { planNames } from '#contract/plans.ts';
import { ConfigError, readConfig } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { companies } from '#server/db/schema.ts';
import { subscriptionOf } from '#server/features/billing/billing.ts';
import { grantPlan } from '#server/features/billing/grant.ts';
import { withDatabase } from './service-database.ts';

const usage = 'usage: npm run company -- list | set-plan <id> <basic|professional|enterprise|none>';
class NotFound extends Error {}

try {
  const [command, id = '', plan = ''] = process.argv.slice(2);
  const known = command === 'list' || (command === 'set-plan' && [...planNames, 'none'].includes(plan));
  if (!known) throw new ConfigError([usage]);
  await withDatabase(readConfig({ BILLING: 'off', ...process.env }), (db) =>
    command === 'list' ? list(db) : setPlan(db, id, plan),
  );
} catch (error) {
  const said = error instanceof ConfigError || error instanceof CannotStart || error instanceof NotFound;
  console.error(said ? error.message : error);
  process.exitCode = 1;
}

async function list(db: Database): Promise<void> {
  const all = await db.asSystem(async (tx) => {
    const rows = await tx.select().from(companies).orderBy(desc(companies.createdAt));
    return Promise.all(rows.map(async (row) => ({ ...row, ...(await subscriptionOf(tx, row.id)) })));
  });
  for (const { id, name, state, plan, granted } of all) {
    console.log(`${id}  ${(plan ?? '-').padEnd(12)}  ${(granted ? 'granted' : state).padEnd(10)}  ${name}`);
  }
}

async function setPlan(db: Database, id: string, plan: string): Promise<void> {
  const found = await db.asSystem((tx) => tx.select().from(companies).where(sql`${companies.id}::text = ${id}`));
  const [company] = found;
  if (!company) throw new NotFound(`There is no company ${id}. See npm run company -- list.`);
  await grantPlan(db, id, planNames.find((each) => each === plan) ?? null);
  const now = await db.asSystem((tx) => subscriptionOf(tx, id));
  console.log(`${company.name}: ${now.granted ? `${now.plan}, granted` : `as paid (${now.state})`}`);
}
