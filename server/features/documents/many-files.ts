import type { ManyOutcome } from '#contract/calls/many-documents.ts';
import { AppError } from '#contract/errors.ts';
import type { AuditActor } from '#server/features/audit/audit.ts';
import type { FileDeletion } from './deletion/delete-file.ts';
import type { Retry } from './processing/retry.ts';
import type { Tags } from './tags.ts';

interface ManyFilesDeps {
  deletion: Pick<FileDeletion, 'removeById'>;
  retry: Retry;
  tags: Pick<Tags, 'changeTags'>;
}

/**
 * What is done to many files at once. Each file is a transaction and a line of the audit log of its own: one that is
 * refused does not hold up the others, what is done stays done when the caller leaves, and no lock is held for longer
 * than one file takes.
 */
export function createManyFiles({ deletion, retry, tags }: ManyFilesDeps) {
  return {
    remove: (by: AuditActor, documentIds: readonly string[], signal: AbortSignal) =>
      forEach(documentIds, signal, (id) => deletion.removeById(by, id)),

    retry: (by: AuditActor, documentIds: readonly string[], signal: AbortSignal) =>
      forEach(documentIds, signal, (id) => retry(by, id)),

    /** A tag that is both added and removed is added. */
    tag: (
      by: AuditActor,
      documentIds: readonly string[],
      change: { add: readonly string[]; remove: readonly string[] },
      signal: AbortSignal,
    ) => forEach(documentIds, signal, (id) => tags.changeTags(by, id, change)),
  };
}

/** @throws whatever is no refusal of one file: what was done until then stays done */
async function forEach(
  documentIds: readonly string[],
  signal: AbortSignal,
  act: (documentId: string) => Promise<unknown>,
): Promise<ManyOutcome> {
  const outcome: ManyOutcome = { changed: 0, refused: [] };
  for (const documentId of new Set(documentIds)) {
    signal.throwIfAborted();
    try {
      await act(documentId);
      outcome.changed++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Gone meanwhile, as an attachment whose mail was deleted just before: there is nothing left to do it to.
      if (error.code === 'file-not-found') continue;
      outcome.refused.push({ documentId, message: error.message });
    }
  }
  return outcome;
}
