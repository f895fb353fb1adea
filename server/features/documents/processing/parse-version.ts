import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { documents, versions } from '#server/db/schema.ts';
import { detectFile } from '#server/features/ingestion/detect.ts';
import { formats } from '#server/features/ingestion/document.ts';
import { ParseFailure } from '#server/features/ingestion/reasons.ts';
import type { Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { ParsedVersion } from './publish.ts';
import { keepRecognised, readRecognised } from './recognised.ts';
import { storeAttachments } from './store-attachments.ts';
import { ofJob } from './wanted.ts';

export interface ParseVersionDeps {
  db: Database;
  files: FileStore;
  sandbox: Sandbox;
  /** Folder for the copies that parsers read. */
  temp: string;
}

const progressEveryMs = 500;

type Job = JobData<'ingest-version'>;

/** The bytes of a version, from the object store to blocks. */
export function createParseVersion({ db, files, sandbox, temp }: ParseVersionDeps) {
  /** @returns null for a version that has ended already, or whose document is gone */
  return async function parse(job: Job, mayTakeLong: boolean, signal: AbortSignal): Promise<ParsedVersion | null> {
    const version = await db.asCompany(job.companyId, async (tx) => {
      const [row] = await tx
        .update(versions)
        .set({ state: 'processing', reason: null })
        .where(and(ofJob(job), isNull(versions.finishedAt)))
        .returning({ objectKey: versions.objectKey });
      const [document] = await tx
        .select({ name: documents.name })
        .from(documents)
        .where(and(eq(documents.id, job.documentId), isNull(documents.deletedAt)));
      if (!row || !document) return null;
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
      return { ...row, ...document };
    });
    if (!version) return null;

    const folder = join(temp, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o755 });
    try {
      const path = join(folder, 'input');
      await pipeline(await files.get(version.objectKey), createWriteStream(path));
      const detected = await detectFile(path, version.name);
      if ('refused' in detected) throw new ParseFailure(detected.refused);
      if ('broken' in detected) throw new ParseFailure(detected.broken);
      const { format } = detected;
      await db.asCompany(job.companyId, (tx) =>
        tx.update(versions).set({ mediaType: formats[format].mediaType }).where(ofJob(job)),
      );
      let told = 0;
      const parsed = await sandbox.parse({
        path,
        format,
        mayTakeLong,
        attachmentsTo: join(folder, 'attachments'),
        known: await readRecognised(db, job),
        onRecognised: (page) => void keepRecognised(db, job, page),
        signal,
        onProgress: (done, total) => {
          if (Date.now() - told < progressEveryMs) return;
          told = Date.now();
          // A lost report of progress loses nothing.
          tellProgress(job, done, total).catch(() => {});
        },
      });
      return { parsed, attached: await storeAttachments({ db, files }, job, version, parsed.attachments) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  async function tellProgress(job: Job, done: number, total: number): Promise<void> {
    await db.asCompany(job.companyId, async (tx) => {
      await tx.update(versions).set({ progressDone: done, progressTotal: total }).where(ofJob(job));
      await db.notify(tx, 'files', { companyId: job.companyId, documentId: job.documentId });
    });
  }
}
