import { type AgentSettings, usualAgent } from '#contract/agent.ts';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { desc, lte, sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { agentVersions } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';

/** The assistant as a company has saved it; version 0: never. */
export interface SavedAgent {
  version: number;
  settings: AgentSettings;
}

const maxVersions = 50;
const newestOf = keptStatement(
  'newest-agent',
  sql`
    select version, settings from ${agentVersions}
    where company_id = ${sql.placeholder('companyId')} order by version desc limit 1`,
);

export type ChatAgent = ReturnType<typeof createChatAgent>;

/** How a company's assistant answers: every save is a version, and the newest one counts. */
export function createChatAgent({ db, model }: { db: Database; model: string | null }) {
  return {
    /** What counts now. One statement by the company's id, since every question waits for it. */
    async saved(companyId: string): Promise<SavedAgent> {
      const [row] = await db.statement<{ version: number; settings: Partial<AgentSettings> }>(
        newestOf.bind({ companyId }),
      );
      return savedAs(row);
    },

    get: (companyId: string): Promise<CallOutput<'getChatAgent'>> => db.asCompany(companyId, told),

    save: (by: AuditActor, settings: AgentSettings): Promise<CallOutput<'getChatAgent'>> =>
      db.asCompany(by.companyId, async (tx) => {
        await add(tx, by, settings);
        return told(tx);
      }),

    /** @throws AppError `agent-version-not-found` */
    restore: (by: AuditActor, version: number): Promise<CallOutput<'getChatAgent'>> =>
      db.asCompany(by.companyId, async (tx) => {
        const found = (await newest(tx)).find((each) => each.version === version);
        if (!found) throw new AppError('agent-version-not-found');
        await add(tx, by, savedAs(found).settings, version);
        return told(tx);
      }),
  };

  async function add(tx: Tx, by: AuditActor, settings: AgentSettings, restoredFrom?: number): Promise<void> {
    // Two admins who save at once get a version each.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`agent ${by.companyId}`}, 0))`);
    const before = savedAs((await newest(tx, 1))[0]);
    const version = before.version + 1;
    const { companyId, userId: savedBy, email: savedByEmail } = by;
    await tx.insert(agentVersions).values({ companyId, version, settings, savedBy, savedByEmail, restoredFrom });
    await tx.delete(agentVersions).where(lte(agentVersions.version, version - maxVersions));
    // What was set, not to what: the log is for other eyes.
    const details = { version, changed: changedIn(before.settings, settings), restoredFrom };
    await audit(tx, { action: 'chat-agent-changed', by, details });
  }

  async function told(tx: Tx): Promise<CallOutput<'getChatAgent'>> {
    const rows = await newest(tx);
    const versions = rows.map((row, i) => {
      const before = rows[i + 1];
      const known = before !== undefined || row.version === 1;
      return {
        version: row.version,
        savedAt: row.savedAt.toISOString(),
        savedBy: row.savedByEmail,
        changed: known ? changedIn(savedAs(before).settings, savedAs(row).settings) : [],
        ...(row.restoredFrom !== null && { restoredFrom: row.restoredFrom }),
      };
    });
    return { ...savedAs(rows[0]), model, versions };
  }
}

/** What the chat screen shows of the transaction's company's assistant. */
export async function agentShown(tx: Tx): Promise<CallOutput<'getSession'>['assistant']> {
  const { version, settings } = savedAs((await newest(tx, 1))[0]);
  return { version, name: settings.name, greeting: settings.greeting };
}

function newest(tx: Tx, limit = maxVersions) {
  return tx.select().from(agentVersions).orderBy(desc(agentVersions.version)).limit(limit);
}

/** A version of before may lack what has come since. */
function savedAs(row: { version: number; settings: Partial<AgentSettings> } | undefined): SavedAgent {
  return { version: row?.version ?? 0, settings: { ...usualAgent, ...row?.settings } };
}

function changedIn(before: AgentSettings, after: AgentSettings): string[] {
  const text = (of: AgentSettings) => new Map(Object.entries(of).map(([key, value]) => [key, JSON.stringify(value)]));
  const known = text(before);
  return [...text(after)].filter(([key, value]) => known.get(key) !== value).map(([key]) => key);
}
