import type { FastifyInstance } from 'fastify';
import type { Access } from '#server/calls/access.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import type { SessionLocks } from '#server/db/session-locks.ts';
import type { Sandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import type { Disk } from '#server/lib/disk.ts';
import { erasureLedger } from '#server/lib/erasure-ledger.ts';
import type { OwnFolder } from '#server/lib/own-folder.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { FileStore, UnfinishedFiles } from '#server/ports/files/port.ts';
import type { SearchStore } from '#server/ports/search/port.ts';
import { documentCalls } from './calls.ts';
import { createCollections } from './collections/collections.ts';
import { createGroups } from './collections/groups.ts';
import { createMoves } from './collections/moves.ts';
import { createMoveInSearch } from './collections/moving.ts';
import { createCompanyFiles } from './company-files.ts';
import { createFileDeletion } from './deletion/delete-file.ts';
import { createErasure } from './deletion/erase.ts';
import { createSweep } from './deletion/sweep.ts';
import { createEmbedding } from './processing/embed.ts';
import { createIngestion } from './processing/ingest.ts';
import { createLookForOrders } from './processing/look-for-orders.ts';
import { createRetry } from './processing/retry.ts';
import type { SearchUpkeep } from './processing/search-upkeep.ts';
import { createTags } from './tags.ts';
import { mountUploads, type UploadRoutesDeps } from './upload/route.ts';
import { createStorage } from './upload/storage.ts';
import { createUploadLocks } from './upload/upload-locks.ts';
import { createUploads } from './upload/uploads.ts';
import { createFileLinks, type FileLinksDeps } from './view/file-links.ts';
import { mountFiles } from './view/file-route.ts';
import { createReading } from './view/reading.ts';

export interface DocumentsDeps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  search: SearchStore;
  /** Absent: passages get no vectors. */
  embeddings: Embeddings | undefined;
  disk: Disk;
  /** Secret of the signatures of links to originals. */
  linkKey: Uint8Array;
  sessionIsOpen: FileLinksDeps['sessionIsOpen'];
  searchUpkeep: SearchUpkeep;
  /** The bytes of uploads under way. */
  unfinished: UnfinishedFiles;
  /** Locks between processes. */
  sessionLocks: SessionLocks;
  config: Pick<Config, 'bucket' | 'publicUrl' | 'maxFileBytes' | 'companyStorageBytes' | 'erasureLedger'>;
}

/** What processing a file takes, in a process that does. */
export interface ProcessingDeps {
  sandbox: Sandbox;
  /** For the copies that parsers read. */
  temp: OwnFolder;
}

/** The life of a file: how it comes in, is processed, is looked at, and goes. */
export function createDocuments(deps: DocumentsDeps) {
  const { db, jobs, files, search, embeddings, disk, linkKey, sessionIsOpen, unfinished, config } = deps;
  const { bucket, publicUrl, maxFileBytes } = config;
  const ledger = erasureLedger(config.erasureLedger);
  const storage = createStorage({ db, disk, companyBytes: config.companyStorageBytes });
  const locks = createUploadLocks(deps.sessionLocks);
  const uploads = createUploads({ db, jobs, files, bytes: unfinished, maxBytes: maxFileBytes, storage });
  const companyFiles = createCompanyFiles({ db, uploads, bucket });
  const deletion = createFileDeletion({ db, jobs, uploads, ledger });
  const retry = createRetry({ db, jobs });
  const tags = createTags({ db });
  const links = createFileLinks({ db, key: linkKey, bucket, publicUrl, sessionIsOpen });
  const reading = createReading({ db, bucket });
  const erasure = createErasure({ db, jobs, files, search, ledger, ...deps.searchUpkeep });
  const moveInSearch = createMoveInSearch({ db, jobs, search, ...deps.searchUpkeep });

  return {
    calls: documentCalls({
      db,
      companyFiles,
      deletion,
      retry,
      uploads,
      storage,
      links,
      reading,
      tags,
      collections: createCollections({ db, jobs }),
      groups: createGroups({ db, jobs }),
      moves: createMoves({ db, jobs, moveInSearch }),
    }),

    jobs({ sandbox, temp }: ProcessingDeps) {
      const embeds = embeddings !== undefined;
      const processing = { sandbox, temp: temp.path, embeds, ...deps.searchUpkeep };
      const ingestion = createIngestion({ db, jobs, files, search, storage, ...processing });
      const embedding = createEmbedding({ db, jobs, search, embeddings, ...deps.searchUpkeep });
      return {
        'ingest-version': ingestion.ingest,
        'ingest-long-version': ingestion.ingestLong,
        'embed-version': embedding.embedVersion,
        'embed-left-out': embedding.embedLeftOut,
        'look-for-orders': createLookForOrders({ db }),
        'erase-document': erasure.eraseDocument,
        'erase-upload': uploads.erase,
        'erase-search': erasure.eraseSearch,
        'move-in-search': moveInSearch,
        'optimize-search': erasure.optimizeSearch,
        sweep: createSweep({ db, jobs, files, bytes: unfinished, locks, search, temp }),
      } satisfies Partial<JobHandlers>;
    },

    /** Adds the route of originals, each behind a signed link. */
    mountFiles: async (server: FastifyInstance, access: Access) => mountFiles(server, { links, files, access }),

    /** Adds the routes of resumable uploads. */
    mountUploads: async (server: FastifyInstance, route: Omit<UploadRoutesDeps, 'uploads' | 'locks' | 'maxBytes'>) =>
      mountUploads(server, { ...route, uploads, locks, maxBytes: maxFileBytes }),

    /** Ends what a company is uploading, with its bytes. */
    eraseUploads: uploads.eraseAll,
    /** Removes the originals and the search table of a company that has ended; its rows are gone. */
    eraseCompany: erasure.eraseCompany,
  };
}
