import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { AppError } from '#contract/errors.ts';
import { reloadFiles } from './company-files.ts';
import { queryClient } from './query-client.ts';
import { beingSent } from './sending-lock.ts';
import { bearer } from './session.ts';
import { fingerprintOf, type Unfinished, unfinishedOf } from './unfinished-uploads.ts';

/** An upload that was cut off, as by a reload: its file is needed again to go on with it. */
export interface Interrupted extends Unfinished {
  /** Bytes that have arrived. */
  sent: number;
}

/**
 * The person's uploads that were begun in this browser, can still be gone on with, and are sent by none of its tabs.
 */
export function interruptedQuery(owner: string | null) {
  return queryOptions({
    queryKey: [...interruptedKey, owner],
    queryFn: (): Promise<readonly Interrupted[]> => (owner === null ? Promise.resolve([]) : findInterrupted(owner)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const interruptedKey = ['interrupted-uploads'] as const;

/** Those that are known now, without asking. */
export function knownInterrupted(): readonly Interrupted[] {
  return queryClient
    .getQueriesData<readonly Interrupted[]>({ queryKey: interruptedKey })
    .flatMap(([, found]) => found ?? []);
}

/** Takes those off the list that are gone on with, or were given up. */
export function dropInterrupted(isDropped: (upload: Interrupted) => boolean): void {
  queryClient.setQueriesData<readonly Interrupted[]>({ queryKey: interruptedKey }, (found) =>
    found?.filter((each) => !isDropped(each)),
  );
}

/** Looks for them again. */
export function reloadInterrupted(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: interruptedKey });
}

/**
 * Removes an unfinished upload of this id, whoever began it; one that has ended already is fine.
 * @throws AppError with the server's reason
 */
export const cancelUpload = mutationOptions({ mutationFn: (uploadId: string) => cancel(uploadId) });

/** Gives it up: removes what has arrived of it. @throws AppError with the server's reason */
export const discardInterrupted = mutationOptions({
  mutationFn: async (upload: Interrupted) => {
    await cancel(upload.uploadId);
    localStorage.removeItem(upload.key);
    dropInterrupted(({ key }) => key === upload.key);
    await reloadFiles();
  },
});

async function findInterrupted(owner: string): Promise<Interrupted[]> {
  const running = await beingSent();
  const left = unfinishedOf(owner, localStorage).filter((each) => !running.has(fingerprintOf(each)));
  const found = await Promise.all(left.map(whereItStands));
  return found.filter((each) => each !== null);
}

async function whereItStands(upload: Unfinished): Promise<Interrupted | null> {
  const reply = await request('HEAD', upload.uploadId);
  // Not known now: it is offered another time.
  if (!reply || (!reply.ok && ![404, 410].includes(reply.status))) return null;
  const sent = Number(reply.headers.get('Upload-Offset') ?? Number.NaN);
  if (reply.ok && sent < upload.size) return { ...upload, sent };
  // Given up, or finished: asking has made it a document.
  localStorage.removeItem(upload.key);
  return null;
}

async function cancel(uploadId: string): Promise<void> {
  const reply = await request('DELETE', uploadId);
  if (!reply) throw new AppError('unavailable');
  if (reply.ok || reply.status === 404) return;
  const { error } = await reply.json().catch(() => ({}));
  throw AppError.fromWire(error ?? {});
}

/**
 * One request of the upload protocol (tus) that its client library does not make: where an upload stands, or its end.
 * @returns null where the service can't be reached
 * @throws AppError where the session can't be renewed
 */
async function request(method: 'HEAD' | 'DELETE', uploadId: string): Promise<Response | null> {
  const token = await bearer();
  const headers = { 'Tus-Resumable': '1.0.0', ...(token !== null && { Authorization: `Bearer ${token}` }) };
  return fetch(`/v1/uploads/${uploadId}`, { method, headers }).catch(() => null);
}
