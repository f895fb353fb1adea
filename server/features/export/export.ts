import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Access } from '#server/calls/access.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { exports } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import type { Disk } from '#server/lib/disk.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { type ExportRow, isExport, isOf } from './exports.ts';
import { createExportLinks } from './links.ts';
import { clearExports, createMaking } from './make.ts';
import { mountExports } from './route.ts';
import { createTellReady } from './tell-ready.ts';

export interface ExportDeps {
  db: Database;
  jobs: Jobs;
  /** Where originals lie. */
  files: FileStore;
  /** Where lists of exports are kept until these end. */
  store: FileStore;
  disk: Disk;
  /** Secret of the signatures of links. */
  linkKey: Uint8Array;
  sessionIsOpen: IdentityProvider['sessionIsOpen'];
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl'>;
  log: Logger;
  clock?: () => number;
}

type By = Actor & { ip: string };

/** All of a company's data in one file, and of a person's own in another. */
export function createExports(deps: ExportDeps) {
  const { db, jobs, files, store, disk, clock = Date.now } = deps;
  const { publicUrl } = deps.config;
  const links = createExportLinks({ ...deps, publicUrl, key: deps.linkKey });

  /** @throws AppError `recent-sign-in-required`, `export-running`, `storage-full` */
  async function start(by: By, personId: string | null): Promise<{ exportId: string }> {
    requireRecentSignIn(by);
    // Its lists are written to the disk, and deflated they are small beside what is kept anyway.
    if ((await disk.look()).isLow) throw disk.refuse();
    const { companyId } = by;
    const exportId = randomUUID();
    await db.asCompany(companyId, async (tx) => {
      // One that is ready or has failed gives way; what was made for it is erased by a job.
      const [before] = await tx.select().from(exports).where(isOf(companyId, personId)).for('update');
      if (before?.state === 'running') throw new AppError('export-running');
      if (before) await tx.delete(exports).where(isExport({ companyId, exportId: before.id }));
      const values = { companyId, id: exportId, personId, startedBy: by.userId, state: 'running' as const };
      const [made] = await tx.insert(exports).values(values).onConflictDoNothing().returning({ id: exports.id });
      if (!made) throw new AppError('export-running');
      await audit(tx, { action: 'export-started', by, details: { of: personId === null ? 'company' : 'person' } });
      await jobs.enqueue(tx, 'make-export', { companyId, exportId }, { singletonKey: exportId });
      if (before) await jobs.enqueue(tx, 'clear-exports', {});
    });
    return { exportId };
  }

  /** @throws AppError `export-not-found`; `recent-sign-in-required` for one that is ready */
  async function get(by: By, exportId: string): Promise<CallOutput<'getExport'>> {
    return db.asCompany(by.companyId, async (tx) => {
      const [row] = await tx
        .select()
        .from(exports)
        .where(isExport({ companyId: by.companyId, exportId }));
      if (!row || !isFor(by, row) || isOver(row)) throw new AppError('export-not-found');
      if (row.state !== 'ready') return told(row);
      requireRecentSignIn(by);
      const url = links.linkTo(by, exportId);
      const of = row.personId === null ? 'company' : 'person';
      await audit(tx, { action: 'export-opened', by, details: { of } });
      return { ...told(row), url };
    });
  }

  async function list(by: Actor): Promise<CallOutput<'listExports'>> {
    const rows = await db.asCompany(by.companyId, (tx) => tx.select().from(exports));
    const mine = rows.filter((row) => isFor(by, row) && !isOver(row));
    const [company, own] = [mine.find(({ personId }) => personId === null), mine.find((row) => row.personId !== null)];
    return { ...(company && { company: told(company) }), ...(own && { own: told(own) }) };
  }

  function isOver({ expiresAt }: ExportRow): boolean {
    return expiresAt !== null && expiresAt.getTime() <= clock();
  }

  return {
    calls: {
      startExport: (_, { actor, ip }) => start({ ...actor, ip }, null),
      startOwnExport: (_, { actor, ip }) => start({ ...actor, ip }, actor.userId),
      getExport: ({ exportId }, { actor, ip }) => get({ ...actor, ip }, exportId),
      listExports: (_, { actor }) => list(actor),
    } satisfies Partial<Handlers>,
    jobs: {
      'make-export': createMaking({ ...deps, tellReady: createTellReady(deps) }),
      'clear-exports': () => clearExports({ db, store }, new Date(clock())),
    } satisfies Partial<JobHandlers>,
    mount: async (server: FastifyInstance, access: Access) => mountExports(server, { db, files, store, links, access }),
    /** Removes what was made for a company that has ended. */
    async eraseCompany(companyId: string): Promise<void> {
      for (const key of await store.list(`${companyId}/`)) await store.delete(key);
    },
  };
}

/** The company's is for admins, a person's own for that person. */
function isFor({ role, userId }: Actor, { personId }: ExportRow): boolean {
  return personId === null ? role === 'admin' : personId === userId;
}

function told(row: ExportRow): CallOutput<'listExports'>['company'] & object {
  const { id: exportId, state, reason, documentsDone, documents, bytesDone, bytes, size, createdAt } = row;
  const { readyAt, expiresAt } = row;
  return {
    exportId,
    state,
    ...(reason !== null && { reason }),
    ...{ documentsDone, documents, bytesDone, bytes },
    ...(size !== null && { size }),
    startedAt: createdAt.toISOString(),
    ...(readyAt && { readyAt: readyAt.toISOString() }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  };
}
