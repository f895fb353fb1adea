import { parseArgs } from 'node:util';
import { readConfig } from '#server/config/config.ts';
import { sql } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { type Finding, type Head, type Verified, verifyAudit } from '#server/features/audit/verify.ts';
import { withDatabase } from './service-database.ts';

const usage = 'usage: npm run audit -- verify [<company id>] [--head <place>:<hash>]';
/** Of one company; where more is wrong, the rest says nothing new. */
const maxShown = 50;

/** Checks the audit logs of all companies or of one, and prints what is found. @returns the exit code */
export async function verifyAuditLogs(args: string[]): Promise<0 | 1 | 2> {
  const asked = read(args);
  if (!asked) {
    console.error(usage);
    return 2;
  }
  let isWhole = true;
  let checked = 0;
  try {
    await withDatabase(readConfig({ BILLING: 'off', LOG_LEVEL: 'silent', ...process.env }), async (db) => {
      const wanted = asked.id === undefined ? sql`true` : sql`${companies.id}::text = ${asked.id}`;
      const found = await db.asSystem((tx) =>
        tx.select({ id: companies.id }).from(companies).where(wanted).orderBy(companies.createdAt, companies.id),
      );
      for (const { id } of found) {
        const verified = await verifyAudit(db, id, asked.head);
        for (const line of linesOf(id, verified)) console.log(line);
        isWhole &&= verified.findings.length === 0;
        checked += 1;
      }
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  if (asked.id !== undefined && checked === 0) {
    console.error(`There is no company ${asked.id}. See npm run company -- list.`);
    return 2;
  }
  return isWhole ? 0 : 1;
}

function read(args: string[]): { id?: string | undefined; head?: Head } | null {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { head: { type: 'string' } } });
    const [id, ...more] = positionals;
    if (values.head === undefined) return more.length === 0 ? { id } : null;
    const [, sequence, hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(values.head) ?? [];
    // An end is one company's.
    return sequence === undefined || id === undefined ? null : { id, head: { sequence: Number(sequence), hash } };
  } catch {
    return null;
  }
}

function linesOf(id: string, { sealed, oldest, head, unsealed, findings }: Verified): string[] {
  const counted = `${sealed} events from place ${oldest} on${unsealed > 0 ? `, ${unsealed} not sealed yet` : ''}`;
  if (findings.length === 0) return [`${id}  whole: ${counted}; head ${head.sequence}:${head.hash}`];
  return [
    `${id}  NOT as it was written: ${counted}`,
    ...findings.slice(0, maxShown).map((finding) => `  ${told(finding)}`),
    ...(findings.length > maxShown ? [`  and ${findings.length - maxShown} more`] : []),
  ];
}

function told({ kind, sequence, through, eventId, at }: Finding): string {
  const place = sequence === undefined ? '' : ` at place ${sequence}`;
  switch (kind) {
    case 'changed':
      return `event ${eventId}${place} (${at}) was changed`;
    case 'inserted':
      return `event ${eventId}${place} (${at}) was inserted later`;
    case 'removed':
      return sequence === through
        ? `the event at place ${sequence} was removed`
        : `the events at places ${sequence} to ${through} were removed`;
    case 'chain-missing':
      return 'the record of where its chain begins and ends was removed';
    case 'other-head':
      return `the chain is another than the one whose place ${sequence} was noted`;
  }
}
