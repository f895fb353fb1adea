import { DetailedError, Upload } from 'tus-js-client';
import { AppError } from '#contract/errors.ts';
import { call } from '#web/api/call.ts';
import { whileOurs } from '#web/api/sending-lock.ts';
import { bearer } from '#web/api/session.ts';
import { type Choice, fingerprintOf } from '#web/api/unfinished-uploads.ts';
import { randomKey } from '#web/lib/random-key.ts';
import { firstChunk, nextChunk, uploadRetryDelays } from './chunk-plan.ts';

export interface Sending {
  file: File;
  /** The name it gets. */
  name: string;
  /** What happens where the name is taken. */
  choice: Choice;
  /** Id of the collection that it is for; null: the company's own, or where the file is that it replaces. */
  collection: string | null;
  /** Whose upload it is: another person's interrupted one is never gone on with. */
  owner: string;
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
  /** The server knows it, under this id. */
  onBegun: (uploadId: string) => void;
}

/** What it became. */
export interface Sent {
  documentId: string;
  unchanged: boolean;
}

/**
 * Uploads a file, going on where an earlier try was cut off (before a reload, too). Another tab that is sending the
 * same one is waited for.
 * @returns when the server has made it a document, or found its content there already (`unchanged`)
 * @throws AppError with the server's reason; `cancelled` when the signal fires (what was sent is then removed)
 */
export function sendFile(sending: Sending): Promise<Sent> {
  const { file, name, choice, collection, owner, signal } = sending;
  const fingerprint = fingerprintOf({
    owner,
    name,
    choice,
    collection,
    size: file.size,
    lastModified: file.lastModified,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  // Nobody waits for its removal, but it stays ours until then: it must not be offered to be gone on with meanwhile.
  signal.addEventListener('abort', () => reject(new AppError('cancelled')), { once: true });
  whileOurs(fingerprint, signal, () => send(sending, fingerprint)).then(resolve, reject);
  return promise;
}

async function send(sending: Sending, fingerprint: string) {
  const { file, name, choice, collection, signal, onProgress, onBegun } = sending;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let refused: string | undefined;
  let sent: string | null = null;
  const upload: Upload = new Upload(file, {
    endpoint: '/v1/uploads',
    metadata: { filename: name, ifExists: choice, ...(collection !== null && { collection }) },
    // A first request whose reply was lost is sent again: it must not become a second version.
    headers: { 'Idempotency-Key': randomKey() },
    chunkSize: firstChunk,
    uploadDataDuringCreation: file.size <= firstChunk,
    retryDelays: [...uploadRetryDelays],
    fingerprint: async () => fingerprint,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      sent = await bearer(refused);
      refused = undefined;
      if (sent !== null) request.setHeader('Authorization', `Bearer ${sent}`);
    },
    onShouldRetry: (error) => {
      upload.options.chunkSize = firstChunk;
      const status = error.originalResponse?.getStatus() ?? 0;
      if (status === 401 && sent !== null) {
        refused = sent;
        return true;
      }
      return status === 0 || status >= 500 || [409, 423, 429].includes(status);
    },
    onChunkComplete: (bytes) => {
      if (bytes >= (upload.options.chunkSize ?? firstChunk)) upload.options.chunkSize = nextChunk(bytes);
    },
    onProgress,
    onUploadUrlAvailable: () => onBegun(idOf(upload)),
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getStatus() === 200 ? lastResponse.getBody() : ''),
    onError: (error) => reject(reasonOf(error)),
  });
  const cancel = () => {
    // The server gives unfinished uploads up by itself, should this not reach it.
    const removed = upload.abort(true).catch(() => {});
    void removed.then(() => reject(new AppError('cancelled')));
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [earlier] = await upload.findPreviousUploads();
    if (earlier) upload.resumeFromPreviousUpload(earlier);
    if (!signal.aborted) upload.start();
    const reply = await promise;
    // What came whole with the first request is answered without a result, and the last reply may have been lost.
    const result = reply === '' ? await call('getUpload', { uploadId: idOf(upload) }) : JSON.parse(reply);
    return { documentId: result.documentId, unchanged: result.unchanged === true };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function idOf({ url }: Upload): string {
  return url?.split('/').at(-1) ?? '';
}

function reasonOf(error: Error): AppError {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  if (body === undefined) return new AppError('unavailable', { cause: error });
  try {
    const answer: { error?: Record<string, never> } = JSON.parse(body);
    return AppError.fromWire(answer.error ?? {});
  } catch {
    return new AppError('unavailable', { cause: error });
  }
}
