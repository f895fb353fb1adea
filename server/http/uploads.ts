import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DataStore, Server, Upload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, httpStatus } from '#contract/errors.ts';
import { mayAccess, requireFeature } from '#contract/permissions.ts';
import type { Uploads } from '#server/features/documents/uploads.ts';
import type { WatchAccess } from './access.ts';
import type { Actor } from './actor.ts';
import { type CallsOptions, callerOf } from './calls.ts';

export interface UploadRoutesDeps {
  uploads: Uploads;
  maxBytes: number;
  authenticate: CallsOptions['authenticate'];
  /** Cuts an upload that is running when its person loses their access. */
  watchAccess: WatchAccess;
  /** Counts the start of an upload. @throws AppError `too-many-requests` */
  countStart: (actor: Actor) => Promise<void>;
}

const path = '/v1/uploads';

type Uploader = Actor & { ip: string };

/**
 * Resumable uploads over tus 1.0 (creation, creation-with-upload, termination) at `/v1/uploads`, with the bearer of the
 * calls. The reply to the finishing PATCH carries `{documentId, version}`. Errors have the body that calls have.
 */
export function mountUploads(server: FastifyInstance, deps: UploadRoutesDeps): void {
  // Whose request it is, for the store: each upload is looked up among the actor's company's own.
  const requests = new AsyncLocalStorage<{ actor: Uploader; authenticateAgain: () => Promise<unknown> }>();
  const now = () => {
    const current = requests.getStore();
    if (!current) throw new AppError('unauthenticated');
    return current;
  };
  const actorNow = (): Uploader => now().actor;

  const tus = new Server({
    path,
    relativeLocation: true,
    datastore: new TusStore(deps.uploads, actorNow),
    maxSize: deps.maxBytes,
    disableTerminationForFinishedUploads: true,
    namingFunction: () => randomUUID(),
    onUploadCreate: async () => {
      await deps.countStart(actorNow());
      return {};
    },
    onUploadFinish: async (request, upload) => {
      // The bytes may have taken an hour, in which the person may have been removed.
      await now().authenticateAgain();
      const result = await deps.uploads.finish(actorNow(), upload.id);
      // With a status of its own a creating POST would lose its Location, without which clients give up.
      if (request.method !== 'PATCH') return {};
      return { status_code: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(result) };
    },
    onResponseError: (_, error) => wireError(server, error),
  });

  // tus reads the raw request; any parser of ours would take the bytes away from it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  // Not GET: that of the protocol's library serves raw bytes, and an aborted one has ended the whole process.
  for (const url of [path, `${path}/:id`]) {
    server.route({
      method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      handler: async (request, reply) => {
        if (request.method === 'OPTIONS') return handOver(request, reply);
        const actor = await callerOf(request, deps.authenticate);
        if (!actor) throw new AppError('unauthenticated');
        if (!mayAccess(actor.role, 'admin')) throw new AppError('permission-denied');
        requireFeature(actor.entitlements, 'upload');
        reply.raw.once(
          'close',
          deps.watchAccess(actor.userId, () => request.raw.destroy()),
        );
        const authenticateAgain = () => callerOf(request, deps.authenticate);
        return requests.run({ actor: { ...actor, ip: request.ip }, authenticateAgain }, () => handOver(request, reply));
      },
    });
  }

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // What the server has set so far (security headers, the request's id) would be lost with the reply.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack();
    await tus.handle(request.raw, reply.raw);
  }
}

/** The tus library's view of our uploads. */
class TusStore extends DataStore {
  readonly #uploads: Uploads;
  readonly #actor: () => Uploader;

  constructor(uploads: Uploads, actor: () => Uploader) {
    super();
    this.#uploads = uploads;
    this.#actor = actor;
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { companyId, userId } = this.#actor();
    const name = upload.metadata?.filename ?? '';
    await this.#uploads.begin({ companyId, userId }, upload.id, { name, size: upload.size ?? 0 });
    return upload;
  }

  override write(piece: Readable, id: string, offset: number): Promise<number> {
    return this.#uploads.write(this.#actor().companyId, id, offset, piece);
  }

  override async getUpload(id: string): Promise<Upload> {
    const actor = this.#actor();
    const { companyId } = actor;
    const state = await this.#uploads.state(companyId, id);
    // All bytes are here, but the process ended before they became a document: finish it now, or a client that asks
    // how far it got would hear "complete" and go away.
    if (state.offset === state.size) await this.#uploads.finish(actor, id);
    return new Upload({ id, size: state.size, offset: state.offset, creation_date: state.createdAt.toISOString() });
  }

  override remove(id: string): Promise<void> {
    return this.#uploads.giveUp(this.#actor().companyId, id);
  }
}

function wireError(server: FastifyInstance, error: Error | { status_code: number; body: string }) {
  if (error instanceof AppError) {
    return { status_code: httpStatus[error.status], body: JSON.stringify({ error: error.toWire() }) };
  }
  if ('status_code' in error) return undefined;
  server.log.error({ err: error }, 'an upload failed');
  return { status_code: 500, body: JSON.stringify({ error: new AppError('internal').toWire() }) };
}
