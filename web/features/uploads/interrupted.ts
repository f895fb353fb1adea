import { queryOptions } from '@tanstack/react-query';
import { reloadFiles } from '#web/api/company-files.ts';
import { queryClient } from '#web/api/query-client.ts';
import { cancelUpload } from './cancel-upload.ts';
import { requestUpload } from './request-upload.ts';
import { beingSent } from './sending-lock.ts';
import { fingerprintOf, type Unfinished, unfinishedOf } from './unfinished.ts';

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

async function findInterrupted(owner: string): Promise<Interrupted[]> {
  const running = await beingSent();
  const left = unfinishedOf(owner, localStorage).filter((each) => !running.has(fingerprintOf(each)));
  const found = await Promise.all(left.map(whereItStands));
  return found.filter((each) => each !== null);
}

async function whereItStands(upload: Unfinished): Promise<Interrupted | null> {
  const reply = await requestUpload('HEAD', upload.uploadId);
  // Not known now: it is offered another time.
  if (!reply || (!reply.ok && ![404, 410].includes(reply.status))) return null;
  const sent = Number(reply.headers.get('Upload-Offset') ?? Number.NaN);
  if (reply.ok && sent < upload.size) return { ...upload, sent };
  // Given up, or finished: asking has made it a document.
  localStorage.removeItem(upload.key);
  return null;
}

/** Gives it up: removes what has arrived of it. @throws AppError with the server's reason */
export async function discardInterrupted(upload: Interrupted): Promise<void> {
  await cancelUpload(upload.uploadId);
  localStorage.removeItem(upload.key);
  dropInterrupted(({ key }) => key === upload.key);
  await reloadFiles();
}
