import { createReadStream } from 'node:fs';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { documents } from '#server/db/schema.ts';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { formats } from '#server/features/ingestion/document.ts';
import type { Unreadable } from '#server/features/ingestion/parsers/parser.ts';
import { gaps } from '#server/features/ingestion/reasons.ts';
import type { Attachment } from '#server/features/ingestion/sandbox/collector.ts';
import type { JobData } from '#server/jobs/registry.ts';
import { digestOf } from '#server/lib/digest.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { attachmentName } from '../names.ts';
import type { NewVersion } from '../upload/place-version.ts';

/** Of one mail. */
const maxOfOne = 100;
/** A mail in a mail in a mail has its attachments; one below that has not. */
const deepest = 3;

type Job = JobData<'ingest-version'>;
export type StoredAttachment = Omit<NewVersion, 'uploadedBy'> & { given: string };

/** What was attached to a mail: bytes that are stored, and what is said of the others. */
export interface StoredAttachments {
  files: StoredAttachment[];
  leftOut: Unreadable[];
}

/**
 * Brings the bytes of those that can be read into the object store. The same attempt stores them under the same keys.
 */
export async function storeAttachments(
  { db, files }: { db: Database; files: FileStore },
  job: Job,
  mail: { name: string },
  found: Attachment[],
): Promise<StoredAttachments> {
  const stored: StoredAttachments = { files: [], leftOut: [] };
  if (found.length === 0) return stored;
  if ((await depthOf(db, job)) >= deepest) return { files: [], leftOut: [sayOf('deep-attachments', found)] };
  const unreadable: Attachment[] = [];
  for (const [index, each] of found.slice(0, maxOfOne).entries()) {
    const detected = each.size === 0 ? null : await detectFile(each.path, each.name);
    if (!detected || !('format' in detected)) {
      unreadable.push(each);
      continue;
    }
    const objectKey = `${prefixOf(job)}${index}`;
    const sha256 = await digestOf(createReadStream(each.path));
    await files.putFile(objectKey, each.path);
    stored.files.push({
      given: each.name,
      name: attachmentName(mail.name, each.name, index),
      mediaType: formats[detected.format].mediaType,
      size: each.size,
      sha256,
      objectKey,
      uploadId: uuidOf(objectKey),
    });
  }
  if (unreadable.length > 0) stored.leftOut.push(sayOf('attachments', unreadable));
  if (found.length > maxOfOne) stored.leftOut.push(sayOf('many-attachments', found.slice(maxOfOne)));
  return stored;
}

/** How many mails it is in. */
async function depthOf(db: Database, { companyId, documentId }: Job): Promise<number> {
  return db.asCompany(companyId, async (tx) => {
    let depth = 0;
    for (let id: string | null = documentId; id !== null && depth < deepest; ) {
      const above: { parentId: string | null }[] = await tx
        .select({ parentId: documents.parentId })
        .from(documents)
        .where(eq(documents.id, id));
      id = above[0]?.parentId ?? null;
      if (id !== null) depth++;
    }
    return depth;
  });
}

/** What the keys begin with of what one attempt has stored. */
export function prefixOf({ companyId, documentId, version, attempt }: Job): string {
  return `${companyId}/${documentId}/${version}.${attempt}.`;
}

/** What is said of attachments that become no documents, as of a part of the mail that can't be read. */
export function sayOf(
  gap: 'attachments' | 'many-attachments' | 'deep-attachments' | 'no-room-attachments',
  left: readonly { name: string }[],
): Unreadable {
  return { why: gaps[gap](left.map(({ name }) => name)) };
}
