import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DataStore, Server, Upload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, httpStatus } from '#contract/errors.ts';
import { requireOpenCompany } from '#contract/permissions.ts';
import type { WatchAccess } from '#server/calls/access.ts';
import type { Actor } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import { onceClosed } from '#server/calls/once-closed.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';
import { requireMayUpload } from './may-upload.ts';
import type { UploadedFile } from './under-way.ts';
import type { UploadLocks } from './upload-locks.ts';
import type { Uploader, Uploads } from './uploads.ts';

export interface UploadRoutesDeps {
  uploads: Uploads;
  locks: UploadLocks;
  maxBytes: number;
  /** Who sends a request; null without a bearer. @throws AppError for a bearer that is not valid (any more) */
  callerOf: (request: FastifyRequest) => Promise<Actor | null>;
  /** Cuts an upload that is running when its person loses their access. */
  watchAccess: WatchAccess;
  /** Counts the start of an upload, and each of its requests. @throws AppError `too-many-requests` */
  count: { start: (actor: Actor) => Promise<void>; request: (actor: Actor) => Promise<void> };
}

const path = '/v1/uploads';

/** Whose request is being answered: each upload is looked up among the actor's company's own. */
interface Asking {
  actor: Actor & Uploader;
  request: IncomingMessage;
  /** Sets a header of the reply. */
  setHeader: (name: string, value: string) => void;
}

/**
 * Resumable uploads over tus 1.0 (creation, creation-with-upload, termination) at `/v1/uploads`, with the bearer of the
 * calls. The metadata `filename` names the file; `ifExists` says what happens where the name is taken: `replace` (or
 * nothing) makes the next version, `keep-both` another file; `collection` is the id of that for which it is. The reply
 * to the finishing PATCH carries `{documentId, version, name}`, and `unchanged` where the newest version has the same
 * content already. Errors have the body that calls have. A creating POST with an `Idempotency-Key` may be sent again
 * when its reply was lost: it is the same upload, and becomes one version.
 */
export function mountUploads(server: FastifyInstance, deps: UploadRoutesDeps): void {
  const asking = new AsyncLocalStorage<Asking>();
  const now = (): Asking => {
    const current = asking.getStore();
    if (!current) throw new AppError('unauthenticated');
    return current;
  };

  const tus = new TusServer({
    path,
    relativeLocation: true,
    datastore: new TusStore(deps.uploads, now),
    locker: deps.locks,
    maxSize: deps.maxBytes,
    allowedHeaders: ['Idempotency-Key'],
    disableTerminationForFinishedUploads: true,
    namingFunction: (request, metadata) => {
      const key = request.headers.get('idempotency-key');
      if (!key) return randomUUID();
      const { companyId, userId } = now().actor;
      return uuidOf(JSON.stringify([companyId, userId, key, metadata?.filename, request.headers.get('upload-length')]));
    },
    onUploadCreate: async () => {
      await deps.count.start(now().actor);
      return {};
    },
    onUploadFinish: async (request, upload) => {
      const result = await deps.uploads.result(now().actor.companyId, upload.id);
      // With a status of its own a creating POST would lose its Location, without which clients give up.
      if (request.method !== 'PATCH') return {};
      return { status_code: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(result) };
    },
    onResponseError: (request, thrown) => {
      const error = errorOf(thrown, Number(request.headers.get('upload-length')) > deps.maxBytes);
      // A client that leaves is no failure of ours.
      const left = asking.getStore()?.request.destroyed ?? false;
      if (error.code === 'internal' && !left) server.log.error({ err: thrown }, 'an upload failed');
      const seconds = error.details.retryAfterSeconds;
      if (typeof seconds === 'number') now().setHeader('Retry-After', String(seconds));
      // Where the protocol names a status, that one.
      const usual = error.code === 'storage-full' ? 507 : httpStatus[error.status];
      const status = 'status_code' in thrown ? Number(thrown.status_code) : usual;
      return { status_code: status, body: bodyOf(error) };
    },
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
        const actor = await deps.callerOf(request);
        requireMayUpload(actor, request.method);
        await deps.count.request(actor);
        onceClosed(
          reply,
          deps.watchAccess({ ...actor, ip: request.ip }, () => request.raw.destroy()),
        );
        const current: Asking = {
          actor: { ...actor, ip: request.ip, authenticateAgain: () => stillOpen(request) },
          request: request.raw,
          setHeader: (name, value) => void reply.raw.setHeader(name, value),
        };
        return asking.run(current, () => handOver(request, reply));
      },
    });
  }

  /** @throws AppError when the person, or the company, may not go on */
  async function stillOpen(request: FastifyRequest): Promise<void> {
    const actor = await deps.callerOf(request);
    if (actor) requireOpenCompany(actor);
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

class TusServer extends Server {
  /** What the library refuses before it asks anyone comes through here, as plain text. */
  override write(...[context, headers, status, body = '']: Parameters<Server['write']>): ReturnType<Server['write']> {
    if (status < 400) return super.write(context, headers, status, body);
    headers.set('Content-Type', 'application/json; charset=utf-8');
    headers.set('Cache-Control', 'no-store');
    const wire = body.startsWith('{') ? body : bodyOf(new AppError('bad-request', { message: body.trim() }));
    return super.write(context, headers, status, wire);
  }
}

/** The tus library's view of our uploads. It holds the upload's lock around each of these. */
class TusStore extends DataStore {
  readonly #uploads: Uploads;
  readonly #now: () => Asking;

  constructor(uploads: Uploads, now: () => Asking) {
    super();
    this.#uploads = uploads;
    this.#now = now;
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { filename, ifExists, collection } = upload.metadata ?? {};
    await this.#uploads.begin(this.#now().actor, upload.id, {
      name: filename ?? '',
      size: upload.size ?? 0,
      ifExists: whatIfExists(ifExists),
      ...(collection && { collection }),
    });
    return upload;
  }

  override async write(piece: Readable, id: string, offset: number): Promise<number> {
    const { actor, request } = this.#now();
    try {
      return await this.#uploads.write(actor, id, offset, piece);
    } finally {
      // Cut off before the client could hear where to go on: nobody ever would. One that is finished stays.
      if (request.method === 'POST' && !request.complete) {
        await this.#uploads.giveUp(actor.companyId, id).catch(unlessAbsent);
      }
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const state = await this.#uploads.state(this.#now().actor, id);
    return new Upload({ id, size: state.size, offset: state.offset, creation_date: state.createdAt.toISOString() });
  }

  override remove(id: string): Promise<void> {
    return this.#uploads.giveUp(this.#now().actor.companyId, id);
  }
}

/** @throws AppError `bad-request`: guessing wrongly would replace what somebody wanted to keep */
function whatIfExists(said: string | null | undefined): UploadedFile['ifExists'] {
  if (said === undefined || said === 'replace') return 'replace';
  if (said === 'keep-both') return said;
  throw new AppError('bad-request', { message: 'ifExists must be "replace" or "keep-both".' });
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'upload-not-found')) throw error;
}

/** @param tooLarge whether the upload as declared is larger than any may be */
function errorOf(thrown: Error | { status_code: number; body: string }, tooLarge: boolean): AppError {
  if (!('status_code' in thrown)) return toAppError(thrown);
  const message = 'body' in thrown ? String(thrown.body).trim() : undefined;
  switch (thrown.status_code) {
    case 404:
      return new AppError('upload-not-found');
    case 409:
      return new AppError('upload-conflict');
    case 413:
      return new AppError(tooLarge ? 'file-too-large' : 'too-large');
    case 500:
      return new AppError('unavailable');
    default:
      return new AppError('bad-request', message === undefined ? {} : { message });
  }
}

function bodyOf(error: AppError): string {
  return JSON.stringify({ error: error.toWire() });
}
