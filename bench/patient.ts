import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DetailedError, Upload } from 'tus-js-client';
import type { Client, Sending } from '#client/client.ts';
import type { CallName, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { isIdempotent, withRetry } from '#web/api/retry.ts';
import { firstChunk, uploadRetryDelays } from '#web/features/uploads/chunk-plan.ts';
import { type Bearer, lastingClient } from './signed-in.ts';

/** What people and their browsers had to do again, and what came of what they did. */
export interface Told {
  /** Tries that failed of calls which a browser sends again by itself. */
  sentAgain: number;
  /** Tries that failed of what a person asks for again. */
  askedAgain: number;
  /** Ids of the answers that have come. */
  answers: Set<string>;
  uploads: UploadTold[];
}

export interface UploadTold {
  name: string;
  sha256: string;
  /** Addresses that it was given: one, unless it was begun anew. */
  addresses: Set<string>;
  /** Requests that failed. */
  cuts: number;
  documentId?: string;
  /** The same bytes were there already. */
  unchanged?: boolean;
}

/**
 * A person who is told that an answer was lost presses *Ask again* after so long, in milliseconds, and not for ever.
 */
const personMs = 1500;
const personTries = 10;

/**
 * A client that goes on where a process goes away under it, by the web app's own rules: what may be repeated is sent
 * again, a question is asked again by its person, an upload is gone on with where it was cut.
 */
export function patientClient(url: string, bearer: Bearer, told: Told): Client {
  const once = lastingClient(url, bearer);

  async function again<T>(name: CallName, work: (sending: Sending) => Promise<T>): Promise<T> {
    // As the web app does, which asks again under the same key.
    const sending = name === 'query' ? { idempotencyKey: randomUUID() } : {};
    const tried = async () => {
      try {
        return await work(sending);
      } catch (error) {
        throw asShown(error);
      }
    };
    if (!isIdempotent(name)) return byHand(told, tried);
    return withRetry(() =>
      tried().catch((error) => {
        told.sentAgain += 1;
        throw error;
      }),
    );
  }

  return {
    ...once,
    call: (name, input) =>
      again(name, async (sending) => {
        const output = await once.call(name, input, sending);
        note(told, output);
        return output;
      }),
    stream: (name, input, onMessage) =>
      again(name, async (sending) => {
        const output = await once.stream(name, input, onMessage, sending);
        note(told, output);
        return output;
      }),
    upload: (name, content) => send({ url, bearer, told }, name, content),
  };
}

/** What a person tries again. */
export async function byHand<T>(told: Told, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === personTries || !(error instanceof AppError) || error.code !== 'unavailable') throw error;
      told.askedAgain += 1;
      await sleep(personMs);
    }
  }
}

/** As the web app takes what fails on its way: it may pass. What the service has said stays as it is. */
export function asShown(error: unknown): unknown {
  // fetch says TypeError of the network; a proxy's page is no JSON.
  const mayPass = error instanceof TypeError || error instanceof SyntaxError;
  return mayPass ? new AppError('unavailable', { cause: error }) : error;
}

function note(told: Told, output: unknown): void {
  if (typeof output === 'object' && output !== null && 'queryId' in output) told.answers.add(String(output.queryId));
}

/** How a file is sent: piece by piece, each after a pause, as over a slow line. */
interface Pace {
  chunkSize: number;
  pauseMs: number;
}

/** Uploads with the web app's own library and settings (web/features/uploads/send-file.ts). */
export async function send(
  { url, bearer, told }: { url: string; bearer: Bearer; told: Told },
  name: string,
  content: Uint8Array,
  pace: Pace = { chunkSize: firstChunk, pauseMs: 0 },
): Promise<CallOutput<'getUpload'>> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const kept: UploadTold = { name, sha256, addresses: new Set(), cuts: 0 };
  told.uploads.push(kept);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const idToken = await withRetry(() => bearer().catch((error) => Promise.reject(asShown(error))));
  const upload: Upload = new Upload(Buffer.from(content), {
    endpoint: `${url}/v1/uploads`,
    metadata: { filename: name, ifExists: 'replace' },
    headers: { 'Idempotency-Key': randomUUID(), Authorization: `Bearer ${idToken}` },
    chunkSize: pace.chunkSize,
    uploadDataDuringCreation: content.byteLength <= pace.chunkSize,
    retryDelays: [...uploadRetryDelays],
    onBeforeRequest: () => sleep(pace.pauseMs),
    onUploadUrlAvailable: () => void kept.addresses.add(upload.url ?? ''),
    onShouldRetry: (error: DetailedError) => {
      kept.cuts += 1;
      const status = error.originalResponse?.getStatus() ?? 0;
      return status === 0 || status >= 500 || [409, 423, 429].includes(status);
    },
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getStatus() === 200 ? lastResponse.getBody() : ''),
    onError: reject,
  });
  upload.start();
  const reply = await promise;
  // What came whole with the first request is answered without a result, and the last reply may have been lost.
  const uploadId = upload.url?.split('/').at(-1) ?? '';
  const result =
    reply === '' ? await patientClient(url, bearer, told).call('getUpload', { uploadId }) : JSON.parse(reply);
  kept.documentId = result.documentId;
  kept.unchanged = result.unchanged === true;
  return result;
}
