import type { PlantedPassage } from '#contract/calls/documents.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, isNotNull, isNull } from '#server/db/drizzle.ts';
import { blocks, companies, documents, versions } from '#server/db/schema.ts';
import { findPlanted } from '#server/features/ingestion/planted/planted.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';

/** An admin looks at the document then. */
const maxTold = 10;

/** What of a text gives orders to a language model, as the list of files tells it. */
export async function plantedIn(
  placed: readonly { text: string; page?: number | null | undefined }[],
): Promise<PlantedPassage[]> {
  const found = await findPlanted(placed.map(({ text }) => text));
  return found.slice(0, maxTold).map(({ kind, first, excerpt }) => {
    const page = placed[first]?.page ?? null;
    return { kind, ...(page !== null && { page }), text: excerpt };
  });
}

/**
 * Looks through the text of versions that answer and were read before anybody looked for planted orders, so that admins
 * see those documents flagged, too. Each is looked through once: what was found is written down, also that it is
 * nothing.
 */
export function createLookForOrders({ db }: { db: Database }) {
  return async function lookForOrders(_: JobData<'look-for-orders'>, { signal }: JobRun): Promise<void> {
    for (const { companyId } of await db.asSystem(companiesLeftOut)) {
      for (const version of await db.asCompany(companyId, leftOut)) {
        signal.throwIfAborted();
        const text = await db.asCompany(companyId, (tx) => textOf(tx, version));
        const planted = await plantedIn(text);
        await db.asCompany(companyId, async (tx) => {
          const told = await tx
            .update(versions)
            .set({ planted })
            .where(and(isVersion(version), isNull(versions.planted)))
            .returning({ documentId: versions.documentId });
          for (const { documentId } of planted.length > 0 ? told : [])
            await db.notify(tx, 'files', { companyId, documentId });
        });
      }
    }
  };
}

type Version = Pick<typeof versions.$inferSelect, 'companyId' | 'documentId' | 'version'>;

function isVersion({ companyId, documentId, version }: Version) {
  return and(eq(versions.companyId, companyId), eq(versions.documentId, documentId), eq(versions.version, version));
}

const answersUnseen = and(isNotNull(documents.currentVersion), isNull(documents.deletedAt), isNull(versions.planted));
const isCurrent = and(
  eq(versions.companyId, documents.companyId),
  eq(versions.documentId, documents.id),
  eq(versions.version, documents.currentVersion),
);

function companiesLeftOut(tx: Tx): Promise<{ companyId: string }[]> {
  return tx
    .selectDistinct({ companyId: companies.id })
    .from(companies)
    .innerJoin(documents, eq(documents.companyId, companies.id))
    .innerJoin(versions, isCurrent)
    .where(answersUnseen);
}

function leftOut(tx: Tx): Promise<Version[]> {
  return tx
    .select({ companyId: versions.companyId, documentId: versions.documentId, version: versions.version })
    .from(documents)
    .innerJoin(versions, isCurrent)
    .where(answersUnseen);
}

function textOf(tx: Tx, { companyId, documentId, version }: Version) {
  return tx
    .select({ text: blocks.text, page: blocks.page })
    .from(blocks)
    .where(and(eq(blocks.companyId, companyId), eq(blocks.documentId, documentId), eq(blocks.version, version)))
    .orderBy(asc(blocks.index));
}
