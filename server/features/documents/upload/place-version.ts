import { randomUUID } from 'node:crypto';
import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, isNull } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { furtherNames, nameKey } from '../names.ts';
import { enqueueProcessing } from '../processing/processing-queue.ts';
import { holdTrees } from '../trees.ts';

/** A file whose bytes are in the object store, about to become a version. */
export interface NewVersion {
  name: string;
  mediaType: string;
  size: number;
  /** Of its bytes, in hex. */
  sha256: string;
  objectKey: string;
  /** Unique in the company: making a version twice of one fails. */
  uploadId: string;
  uploadedBy: string;
}

export interface PlacedVersion {
  documentId: string;
  version: number;
  /** The document's name. */
  name: string;
  /** The newest version has this very content already, so nothing was made: the bytes are not needed. */
  unchanged: boolean;
}

export interface Placing {
  /** The mail that it is attached to; null for what was uploaded, which is then a document in its own right. */
  parentId: string | null;
  /** Where a new document comes; null: into the company's own collection. One that is replaced stays where it is. */
  collectionId: string | null;
  /** Whether it may become the next version of this document of its name; else it gets the next name that is free. */
  mayReplace: (document: { id: string; parentId: string | null }) => boolean;
}

/** Names that are looked up at once. */
const namesAtOnce = 50;

/**
 * Makes a file the next version of its document, or a document of its own, and enqueues the processing of it. Content
 * that its newest version has already is not processed again, unless that failed.
 * @param tx holds the company's names (`ownNames`)
 */
export async function placeVersion(
  tx: Tx,
  jobs: Jobs,
  companyId: string,
  { name: wanted, ...file }: NewVersion,
  { parentId, collectionId, mayReplace }: Placing,
): Promise<PlacedVersion> {
  const { name, replaced } = await findPlace(tx, wanted, mayReplace);
  const documentId = replaced?.id ?? randomUUID();
  if (replaced) {
    // What comes after may change what was attached to it, too.
    await holdTrees(tx, companyId, [documentId]);
    if (replaced.parentId !== parentId)
      await tx.update(documents).set({ parentId }).where(eq(documents.id, documentId));
    const newest = await newestOf(tx, replaced);
    if (newest?.sha256 === file.sha256 && newest.state !== 'failed') {
      return { documentId, version: replaced.newestVersion, name: replaced.name, unchanged: true };
    }
  }
  const version = (replaced?.newestVersion ?? 0) + 1;
  if (replaced) {
    await tx.update(documents).set({ newestVersion: version }).where(eq(documents.id, documentId));
  } else {
    const document = {
      companyId,
      id: documentId,
      parentId,
      collectionId,
      name,
      nameKey: nameKey(name),
      newestVersion: version,
    };
    await tx.insert(documents).values(document);
  }
  await tx.insert(versions).values({ companyId, documentId, version, state: 'queued', ...file });
  await enqueueProcessing(tx, jobs, { companyId, documentId, version, attempt: 1 });
  return { documentId, version, name: replaced?.name ?? name, unchanged: false };
}

/** The first name, of the wanted one and those after it, that is free or whose document may be replaced. */
async function findPlace(tx: Tx, wanted: string, mayReplace: Placing['mayReplace']) {
  const further = furtherNames(wanted);
  for (let candidates = [wanted]; ; candidates = firstOf(further, namesAtOnce)) {
    const there = await tx
      .select({
        id: documents.id,
        name: documents.name,
        nameKey: documents.nameKey,
        parentId: documents.parentId,
        newestVersion: documents.newestVersion,
      })
      .from(documents)
      .where(and(inArray(documents.nameKey, candidates.map(nameKey)), isNull(documents.deletedAt)));
    for (const name of candidates) {
      const document = there.find((each) => each.nameKey === nameKey(name)) ?? null;
      if (document === null || mayReplace(document)) return { name, replaced: document };
    }
  }
}

async function newestOf(tx: Tx, { id, newestVersion }: { id: string; newestVersion: number }) {
  const [version] = await tx
    .select({ sha256: versions.sha256, state: versions.state })
    .from(versions)
    .where(and(eq(versions.documentId, id), eq(versions.version, newestVersion)));
  return version;
}

/** Unlike `take` it leaves the rest to be taken. */
function firstOf<T>(items: Generator<T, never>, count: number): T[] {
  return Array.from({ length: count }, () => items.next().value);
}
