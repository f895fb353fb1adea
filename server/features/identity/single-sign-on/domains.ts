import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { causes } from '#server/calls/errors.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, isNotNull } from '#server/db/drizzle.ts';
import { companyDomains, singleSignOns } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';

type By = Actor & { ip: string };
/** The texts of a name's TXT records; none where there is no such name. */
export type ResolveTxt = (name: string) => Promise<string[]>;

const maxDomains = 50;
const domainName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The record by which a company shows that a domain is its own. */
export function recordOf({ domain, token }: { domain: string; token: string }): { name: string; value: string } {
  return { name: `_footnote.${domain}`, value: `footnote-domain-verification=${token}` };
}

/** The domains in which a company's provider is believed. */
export function createDomains({ db, resolveTxt, clock }: { db: Database; resolveTxt: ResolveTxt; clock: () => Date }) {
  return {
    /** Nothing where it is on the list. @throws AppError `invalid-input`, `too-many-domains` */
    async add(by: By, written: string): Promise<void> {
      const { companyId } = by;
      const domain = nameOf(written);
      const token = randomBytes(24).toString('base64url');
      await db.asCompany(companyId, async (tx) => {
        if ((await tx.$count(companyDomains)) >= maxDomains) throw new AppError('too-many-domains');
        const values = { companyId, domain, token, createdAt: clock() };
        const made = await tx.insert(companyDomains).values(values).onConflictDoNothing().returning();
        if (made.length > 0) await audit(tx, { action: 'domain-added', by, target: domain, at: clock() });
      });
    },

    /** Looks for its record. @throws AppError `domain-not-found`, `domain-not-proved`, `domain-taken` */
    async check(by: By, written: string): Promise<void> {
      const { companyId } = by;
      const ofDomain = eq(companyDomains.domain, nameOf(written));
      const [row] = await db.asCompany(companyId, (tx) => tx.select().from(companyDomains).where(ofDomain));
      if (!row) throw new AppError('domain-not-found');
      const { name, value } = recordOf(row);
      const found = await resolveTxt(name).catch((cause: unknown) => {
        throw new AppError('domain-not-proved', { cause });
      });
      if (!found.some((text) => text.trim() === value)) throw new AppError('domain-not-proved');
      const taken = and(ofDomain, isNotNull(companyDomains.verifiedAt));
      const [holder] = await db.asSystem((tx) =>
        tx.select({ companyId: companyDomains.companyId }).from(companyDomains).where(taken),
      );
      if (holder && holder.companyId !== companyId) throw new AppError('domain-taken');
      if (holder) return;
      const proving = db.asCompany(companyId, async (tx) => {
        const proved = await tx.update(companyDomains).set({ verifiedAt: clock() }).where(ofDomain).returning();
        if (proved.length === 0) throw new AppError('domain-not-found');
        await audit(tx, { action: 'domain-verified', by, target: row.domain, at: clock() });
      });
      // Another company has proved it since we have looked.
      await proving.catch((error: unknown) => {
        throw isTaken(error) ? new AppError('domain-taken', { cause: error }) : error;
      });
    },

    /** Without a verified one nobody has to come in by the provider. @throws AppError `domain-not-found` */
    async remove(by: By, written: string): Promise<void> {
      const { companyId } = by;
      await db.asCompany(companyId, async (tx) => {
        const ofDomain = eq(companyDomains.domain, nameOf(written));
        const gone = await tx.delete(companyDomains).where(ofDomain).returning();
        if (gone.length === 0) throw new AppError('domain-not-found');
        await audit(tx, { action: 'domain-removed', by, target: gone[0]?.domain ?? '', at: clock() });
        if ((await tx.$count(companyDomains, isNotNull(companyDomains.verifiedAt))) > 0) return;
        const off = { required: false };
        const ended = await tx.update(singleSignOns).set(off).where(eq(singleSignOns.required, true)).returning();
        const details = { before: true, after: false };
        if (ended.length > 0) await audit(tx, { action: 'single-sign-on-required-changed', by, details, at: clock() });
      });
    },
  };
}

/** Whether the index refused it that holds a domain for one company. */
function isTaken(error: unknown): boolean {
  return causes(error).some((each) => 'constraint' in each && each.constraint === 'company_domains_verified');
}

/** As the domain name system has it. @throws AppError `invalid-input` */
function nameOf(written: string): string {
  const name = domainToASCII(written.replace(/\.$/, ''));
  if (!domainName.test(name)) throw new AppError('invalid-input');
  return name;
}
