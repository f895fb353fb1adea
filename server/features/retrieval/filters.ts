import type { Filters } from '#contract/calls/answers.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Tx } from '#server/db/db.ts';
import { and, eq, gte, inArray, isNull, lt, type SQL } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import { documentsWithTags } from '#server/features/documents/tags.ts';

/**
 * The filters that a caller may use; without any, none are needed.
 * @throws AppError `feature-not-in-plan` where there are some, and the plan has no filters
 */
export function allowedFilters(entitlements: Entitlements, filters: Filters | undefined): Filters | undefined {
  if (!filters || Object.values(filters).every((value) => value === undefined)) return undefined;
  requireFeature(entitlements, 'search-filters');
  return filters;
}

/** The live documents that fit all of the filters. */
export async function documentsThatFit(tx: Tx, filters: Filters): Promise<string[]> {
  const { documentIds, tags, uploadedAfter, uploadedBefore } = filters;
  const conditions: SQL[] = [isNull(documents.deletedAt)];
  if (documentIds) conditions.push(inArray(documents.id, documentIds));
  if (tags) conditions.push(inArray(documents.id, await documentsWithTags(tx, tags)));
  if (uploadedAfter !== undefined) conditions.push(gte(versions.uploadedAt, new Date(uploadedAfter)));
  if (uploadedBefore !== undefined) conditions.push(lt(versions.uploadedAt, new Date(uploadedBefore)));
  const fitting = await tx
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(versions, and(eq(versions.documentId, documents.id), eq(versions.version, documents.currentVersion)))
    .where(and(...conditions));
  return fitting.map(({ id }) => id);
}
