import { messages } from '#contract/messages.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import type { Collections } from './collections/collections.ts';
import type { createGroups } from './collections/groups.ts';
import { listCollections } from './collections/list.ts';
import type { createMoves } from './collections/moves.ts';
import type { CompanyFiles } from './company-files.ts';
import type { FileDeletion } from './deletion/delete-file.ts';
import { createManyFiles } from './many-files.ts';
import type { Retry } from './processing/retry.ts';
import type { Tags } from './tags.ts';
import type { Storage } from './upload/storage.ts';
import type { Uploads } from './upload/uploads.ts';
import type { FileLinks } from './view/file-links.ts';
import { watchFiles } from './view/live.ts';
import type { createReading } from './view/reading.ts';
import { createRecentChanges } from './view/recent-changes.ts';
import { createSharedReads } from './view/shared-reads.ts';

export interface DocumentCallsDeps {
  db: Database;
  companyFiles: CompanyFiles;
  deletion: FileDeletion;
  retry: Retry;
  uploads: Uploads;
  storage: Pick<Storage, 'stateOf'>;
  links: FileLinks;
  reading: ReturnType<typeof createReading>;
  tags: Tags;
  collections: Collections;
  groups: ReturnType<typeof createGroups>;
  moves: ReturnType<typeof createMoves>;
}

/** How long one `watchFiles` stream lives: below the time that the server allows a call. */
const watchMs = 55_000;

export function documentCalls(deps: DocumentCallsDeps) {
  const { db, companyFiles, deletion, retry, uploads, storage, links, reading, tags, collections, groups, moves } =
    deps;
  const recent = createRecentChanges(db);
  const readShared = createSharedReads(companyFiles.find, recent);
  const many = createManyFiles({ deletion, retry, tags });
  return {
    getCompanyFiles: (_, { actor }) => companyFiles.list(actor),
    getGoneDocuments: async ({ documentIds }, { actor }) => ({
      gone: await companyFiles.gone(actor, documentIds),
    }),
    watchFiles: async (input, { actor, ...caller }) => {
      const watched = { reader: actor, since: input?.since };
      await watchFiles({ db, companyFiles, readShared, recent, watchMs }, watched, caller);
      return null;
    },
    getFileLink: async ({ gsUri, version }, { actor, ip }) => ({
      url: await links.linkTo({ ...actor, ip }, gsUri, version),
    }),
    deleteFile: async ({ filePath }, { actor, ip }) => {
      const { name } = await deletion.remove({ ...actor, ip }, filePath);
      return { message: messages.documents.deleted(name) };
    },
    retryFile: async ({ documentId }, { actor, ip }) => {
      await retry({ ...actor, ip }, documentId);
      return null;
    },
    setFileTags: async (input, { actor, ip }) => ({
      tags: await tags.setTags({ ...actor, ip }, input.documentId, input.tags),
    }),
    deleteFiles: ({ documentIds }, { actor, ip, signal }) => many.remove({ ...actor, ip }, documentIds, signal),
    retryFiles: ({ documentIds }, { actor, ip, signal }) => many.retry({ ...actor, ip }, documentIds, signal),
    tagFiles: ({ documentIds, ...change }, { actor, ip, signal }) =>
      many.tag({ ...actor, ip }, documentIds, change, signal),
    listCollections: (_, { actor }) => listCollections(db, actor),
    createCollection: (input, { actor, ip }) => collections.create({ ...actor, ip }, input),
    updateCollection: (input, { actor, ip }) => collections.update({ ...actor, ip }, input),
    deleteCollection: async (input, { actor, ip }) => {
      await moves.remove({ ...actor, ip }, input);
      return null;
    },
    moveDocuments: async (input, { actor, ip }) => {
      await moves.move({ ...actor, ip }, input);
      return null;
    },
    listGroups: (_, { actor }) => groups.list(actor.companyId),
    createGroup: (input, { actor, ip }) => groups.create({ ...actor, ip }, input),
    updateGroup: (input, { actor, ip }) => groups.update({ ...actor, ip }, input),
    deleteGroup: async ({ groupId }, { actor, ip }) => {
      await groups.remove({ ...actor, ip }, groupId);
      return null;
    },
    getUpload: ({ uploadId }, { actor }) => uploads.result(actor.companyId, uploadId),
    getStorage: (_, { actor }) => storage.stateOf(actor.companyId),
    getDocument: (input, { actor }) => reading.getDocument(actor, input),
    getReadingView: (input, { actor }) => reading.getReadingView(actor, input),
  } satisfies Partial<Handlers>;
}
