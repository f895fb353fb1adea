import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { reloadFiles } from '#web/api/company-files.ts';
import { onSignOut } from '#web/api/session.ts';
import { type Choice, isSameFile } from '#web/api/unfinished-uploads.ts';
import { dropInterrupted, reloadInterrupted } from '#web/api/uploads.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { awaitProcessing, stopAwaiting } from './awaited.ts';
import { comparable } from './names.ts';
import { collected, failure, itemOf, sendable, type UploadItem, waiting } from './upload-item.ts';

export interface Uploads {
  items: readonly UploadItem[];
  /** Whether the window is open; what runs goes on without it. */
  open: boolean;
  running: boolean;
  /** How the last run ended, until somebody has been told. */
  ended: Ended | null;
}

export interface Ended {
  ok: boolean;
  failures: readonly { id: number; name: string; reason: string }[];
  /** How many were there already, with the same content. */
  unchanged: number;
}

const atOnce = 3;
const nothing = { items: [], open: false, running: false, ended: null };
const current = createStore<Uploads>(nothing);
/** Of the run under way, and of each of its files. */
let run: AbortController | null = null;
const cancels = new Map<number, AbortController>();

/** The uploads of this tab; they go on while the person looks at other pages of the app. */
export function useUploads(): Uploads {
  return useStore(current);
}

export function openUploads(): void {
  change({ open: true });
}

/** Whether something is on its way. */
export function isUploading(): boolean {
  return current.value.running;
}

/** Closes the window. What runs goes on, anything else is forgotten. */
export function closeUploads(): void {
  change(current.value.running ? { open: false } : nothing);
}

/**
 * Adds files to the selection; one of an upload that was cut off will go on with it, and one of the name of a file that
 * failed comes in its place.
 */
export function addFiles(files: readonly File[]): void {
  if (current.value.running) return;
  change({ items: withMore(files.map(itemOf)) });
}

/** Takes a file off the selection, or stops its upload. */
export function removeFile(id: number): void {
  cancels.get(id)?.abort();
  change({ items: current.value.items.filter((item) => item.id !== id) });
}

/** Stops the upload of this id if this tab is sending it. @returns whether it is */
export function stopUpload(uploadId: string): boolean {
  const item = current.value.items.find((each) => each.uploadId === uploadId && cancels.has(each.id));
  if (item) removeFile(item.id);
  return item !== undefined;
}

export function choose(id: number, choice: Choice): void {
  patch(id, { choice });
}

/** For all that was chosen and was not begun before: one says it once. @param collection its id; null: none */
export function chooseCollection(collection: string | null): void {
  change({ items: current.value.items.map((item) => collected(item, collection)) });
}

/**
 * Begins to upload all that was chosen or can be tried again; what has no choice replaces.
 * @param owner id of the person
 */
export function startUploads(owner: string): void {
  const { items, running } = current.value;
  if (running || sendable(items).length === 0) return;
  begin(
    items.map((item) => (item.isRefused ? item : waiting(item))),
    owner,
  );
}

/**
 * Goes on with uploads that were cut off.
 * @returns the files that belong to none of them
 */
export function resumeUploads(files: readonly File[], owner: string): File[] {
  const items = files.map(itemOf).filter(({ sent, choice }) => sent > 0 || choice !== null);
  if (items.length > 0) beginMore(items.map(waiting), owner);
  return files.filter((file) => !items.some((item) => item.file === file));
}

/** Sends a file once more that has failed. */
export function retryUpload(id: number, owner: string): void {
  patch(id, { state: 'waiting', sent: 0, reason: '' });
  if (!current.value.running) begin([...current.value.items], owner);
}

/** Uploads a file as the next version of the one of this name, whatever it is called itself. */
export function replaceFile(file: File, name: string, owner: string): void {
  beginMore([waiting({ ...itemOf(file), name, choice: 'replace' })], owner);
}

/** Stops what runs and forgets the rest. */
export function cancelUploads(): void {
  run?.abort();
  run = null;
  change(nothing);
}

/** Somebody has been told how it ended. */
export function acknowledgeEnd(): void {
  change({ ended: null });
}

/** These too: what is on its way goes on, and what has failed stays to be tried again. */
function beginMore(more: readonly UploadItem[], owner: string): void {
  const items = withMore(more);
  if (current.value.running) {
    change({ items });
    dropResumed(more);
  } else begin(items, owner);
}

function withMore(more: readonly UploadItem[]): UploadItem[] {
  const names = new Set(more.map(({ name }) => comparable(name)));
  const kept = current.value.items.filter(({ state, name }) => state !== 'failed' || !names.has(comparable(name)));
  return [...kept, ...more];
}

function begin(items: UploadItem[], owner: string): void {
  run = new AbortController();
  change({ items, running: true, ended: null });
  dropResumed(items);
  void sendAll(run.signal, owner);
}

function dropResumed(items: readonly UploadItem[]): void {
  const resumed = items.filter(({ state }) => state === 'waiting');
  dropInterrupted((each) => resumed.some(({ file }) => isSameFile(each, file)));
}

async function sendAll(signal: AbortSignal, owner: string): Promise<void> {
  // Told before, unless it is tried again: then it is another object.
  const told = new Set(current.value.items.filter(({ state }) => state === 'failed'));
  const work = async () => {
    for (let item = nextWaiting(); item && !signal.aborted; item = nextWaiting()) await sendOne(item, owner, signal);
  };
  // Again, until nothing waits: a file may be added while the last ones are on their way.
  while (nextWaiting() && !signal.aborted) await Promise.all(Array.from({ length: atOnce }, work));
  if (signal.aborted) return;
  run = null;
  const items = current.value.items.filter((item) => item.state !== 'chosen' && !told.has(item));
  const failures = items
    .filter(({ state }) => state === 'failed')
    .map(({ id, name, reason }) => ({ id, name, reason: reason ?? messages.documents.uploadFailed }));
  const unchanged = items.filter(({ unchanged }) => unchanged).length;
  // What failed stays, with its reason and the way to try again; so does what was chosen meanwhile.
  const left = current.value.items.filter(({ state }) => state === 'failed' || state === 'chosen');
  const ended = items.length > 0 ? { ok: failures.length === 0, failures, unchanged } : null;
  change({ ...nothing, items: left, open: current.value.open && left.length > 0, ended });
  await Promise.all([reloadFiles(), reloadInterrupted()]);
  awaitProcessing(
    items.flatMap(({ documentId, unchanged }) => (documentId === undefined || unchanged ? [] : documentId)),
  );
}

/**
 * The first one to send. Of one name one after the other, so that it is the later that replaces, or gets another name.
 */
function nextWaiting(): UploadItem | undefined {
  const busy = new Set(
    current.value.items.filter(({ state }) => state === 'sending').map(({ name }) => comparable(name)),
  );
  return current.value.items.find(({ state, name }) => state === 'waiting' && !busy.has(comparable(name)));
}

async function sendOne(
  { id, file, name, choice, collection }: UploadItem,
  owner: string,
  all: AbortSignal,
): Promise<void> {
  const own = new AbortController();
  cancels.set(id, own);
  const signal = AbortSignal.any([all, own.signal]);
  patch(id, { state: 'sending' });
  try {
    const { sendFile } = await import('./send-file.ts');
    const onProgress = (sent: number) => patch(id, { sent });
    const onBegun = (uploadId: string) => patch(id, { uploadId });
    const how = { choice: choice ?? 'replace', collection, owner };
    const became = await sendFile({ file, name, ...how, signal, onProgress, onBegun });
    patch(id, { state: 'done', sent: file.size, ...became });
  } catch (error) {
    if (signal.aborted) return;
    const fallback = error instanceof AppError ? error.message : String(error);
    patch(id, failure(error, messageOf(error, fallback)));
  } finally {
    cancels.delete(id);
  }
}

function patch(id: number, fields: Partial<UploadItem>): void {
  change({ items: current.value.items.map((item) => (item.id === id ? { ...item, ...fields } : item)) });
}

function change(fields: Partial<Uploads>): void {
  current.set({ ...current.value, ...fields });
}

// The next person must not upload the files of the last one. Their bytes wait on the server to be gone on with.
onSignOut(() => {
  cancelUploads();
  stopAwaiting();
});
