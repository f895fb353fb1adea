/**
 * `npm run company`: what whoever runs the service does to companies, also while it runs.
 *
 *   npm run company -- list
 *   npm run company -- set-plan <id> <basic|professional|enterprise|none>
 */
import { desc, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { planNames } from '#contract/plans.ts';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { findPostgres, startPostgres } from '#server/db/postgres/launcher.ts';
import { DataDirInUse } from '#server/db/postgres/lock.ts';
import { companies } from '#server/db/schema.ts';
import { subscriptionOf } from '#server/features/billing/billing.ts';
import { grantPlan } from '#server/features/billing/grant.ts';

const usage = 'usage: npm run company -- list | set-plan <id> <basic|professional|enterprise|none>';
const log = pino({ level: 'silent' });
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

/** The service's database, also while the service uses it. */
async function withDatabase(config: Config, work: (db: Database) => Promise<void>): Promise<void> {
  const { connection, stop } = await connect(config);
  try {
    const db = await openDatabase(connection, { name: 'company', log });
    await work(db).finally(() => db.close());
  } finally {
    await stop();
  }
}

async function connect({ databaseUrl, dataDir }: Config) {
  const leave = async () => {};
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, stop: leave };
  try {
    return await startPostgres({ dataDir, log });
  } catch (error) {
    // The service runs.
    const connection = error instanceof DataDirInUse ? await findPostgres(dataDir) : null;
    if (!connection) throw error;
    return { connection, stop: leave };
  }
}
