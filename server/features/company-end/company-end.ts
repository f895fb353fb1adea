import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNull, lte } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { lockCompany } from '#server/features/identity/people.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import { mailAdmins, type SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import { createErasing, type ErasingDeps } from './erase.ts';

/** How long the end of a company can be taken back. */
const takeBackMs = 7 * 86_400_000;

export interface CompanyEndDeps extends ErasingDeps {
  db: Database;
  jobs: Jobs;
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl'>;
  clock?: () => Date;
}

type By = Actor & { ip: string };

/** The end of a company: asked for, taken back, carried out. */
export function createCompanyEnd(deps: CompanyEndDeps) {
  const { db, jobs, sendMail, config, payment, clock = () => new Date() } = deps;

  /** @throws AppError `recent-sign-in-required`, `company-name-differs` */
  async function begin(by: By, typed: string): Promise<null> {
    requireRecentSignIn(by);
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      await lockCompany(tx, companyId);
      const company = await companyRow(tx, companyId);
      if (sameName(typed) !== sameName(company.name)) throw new AppError('company-name-differs');
      if (company.endsAt) return;
      const endsAt = new Date(clock().getTime() + takeBackMs);
      await tx.update(companies).set({ endsAt }).where(eq(companies.id, companyId));
      await audit(tx, { action: 'company-deleted', by, details: { endsAt: endsAt.toISOString() } });
      await jobs.enqueue(tx, 'settle-charging', { companyId }, { singletonKey: companyId });
      await mailAdmins(tx, sendMail, companyId, (texts, name) =>
        texts.companyEnds(name, {
          company: company.name,
          by: by.email,
          day: endsAt.toLocaleDateString(texts.locale, { dateStyle: 'long', timeZone: company.timeZone }),
          url: `${config.publicUrl}/admin/settings/data`,
        }),
      );
      // What the others have open ends now; the caller's own request must not.
      const people = await tx.select({ userId: users.id }).from(users).where(eq(users.companyId, companyId));
      for (const { userId } of people) if (userId !== by.userId) await db.notify(tx, 'people', { userId });
    });
    return null;
  }

  /** Nothing to take back is fine. @throws AppError `company-erased` once its erasing has begun */
  async function takeBack(by: By): Promise<null> {
    const { companyId } = by;
    await db.asCompany(companyId, async (tx) => {
      await lockCompany(tx, companyId);
      const { name, endsAt, erasingSince } = await companyRow(tx, companyId);
      if (erasingSince) throw new AppError('company-erased');
      if (!endsAt) return;
      await tx.update(companies).set({ endsAt: null }).where(eq(companies.id, companyId));
      await audit(tx, { action: 'company-kept', by });
      await jobs.enqueue(tx, 'settle-charging', { companyId }, { singletonKey: companyId });
      await mailAdmins(tx, sendMail, companyId, (texts, product) =>
        texts.companyKept(product, { company: name, by: by.email, url: `${config.publicUrl}/chat` }),
      );
    });
    return null;
  }

  return {
    calls: {
      deleteCompany: ({ companyName }, { actor, ip }) => begin({ ...actor, ip }, companyName),
      keepCompany: (_, { actor, ip }) => takeBack({ ...actor, ip }),
    } satisfies Partial<Handlers>,
    jobs: {
      'settle-charging': async ({ companyId }) => payment?.companyEnd.settleCharging(companyId),
      'end-companies': async () => {
        await db.asSystem(async (tx) => {
          const due = await tx
            .select({ companyId: companies.id })
            .from(companies)
            .where(lte(companies.endsAt, clock()));
          for (const { companyId } of due)
            await jobs.enqueue(tx, 'end-company', { companyId }, { singletonKey: companyId });
          // Kept by whoever runs the service, who has no jobs at hand.
          const isKept = and(isNull(companies.endsAt), eq(companies.chargingStopped, true));
          const kept = await tx.select({ companyId: companies.id }).from(companies).where(isKept);
          for (const { companyId } of kept)
            await jobs.enqueue(tx, 'settle-charging', { companyId }, { singletonKey: companyId });
        });
      },
      'end-company': createErasing(deps, clock),
    } satisfies Partial<JobHandlers>,
  };
}

async function companyRow(tx: Tx, companyId: string): Promise<typeof companies.$inferSelect> {
  const [company] = await tx.select().from(companies).where(eq(companies.id, companyId));
  if (!company) throw new AppError('session-expired');
  return company;
}

/** Blanks around it and how letters are composed don't count. */
function sameName(name: string): string {
  return name.trim().normalize();
}
