import { useSyncExternalStore } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { reloadFiles } from '#web/api/company-files.ts';
import { onSignOut } from '#web/api/session.ts';
import { type Choice, nameOf, planNames } from './names.ts';

/** One file of the upload window, from being chosen to its end. */
export interface UploadItem {
  id: number;
  file: File;
  /** Its own name, or where in a dropped folder it stood. */
  ownName: string;
  /** The name it is uploaded under, once that has begun. */
  name: string;
  choice: Choice | null;
  state: 'chosen' | 'waiting' | 'sending' | 'done' | 'failed';
  /** Bytes. */
  sent: number;
  reason?: string;
}

export interface Uploads {
  items: readonly UploadItem[];
  /** Whether the window is open; what runs goes on without it. */
  open: boolean;
  running: boolean;
  /** How the last run ended, until somebody has been told. */
  ended: Ended | null;
}

interface Ended {
  ok: boolean;
  failures: readonly { name: string; reason: string }[];
}

const atOnce = 3;
const nothing: Uploads = { items: [], open: false, running: false, ended: null };
let current = nothing;
let nextId = 1;
let run: AbortController | null = null;
const listeners = new Set<() => void>();

/** The uploads of this tab; they go on while the person looks at other pages of the app. */
export function useUploads(): Uploads {
  return useSyncExternalStore(subscribe, () => current);
}

export function openUploads(): void {
  change({ open: true });
}

/** Closes the window. What runs goes on, anything else is forgotten. */
export function closeUploads(): void {
  change(current.running ? { open: false } : nothing);
}

export function addFiles(files: readonly File[]): void {
  if (current.running) return;
  const added = files.map((file): UploadItem => {
    const ownName = nameOf(file);
    return { id: nextId++, file, ownName, name: ownName, choice: null, state: 'chosen', sent: 0 };
  });
  change({ items: [...current.items, ...added] });
}

export function removeFile(id: number): void {
  if (!current.running) change({ items: current.items.filter((item) => item.id !== id) });
}

export function choose(id: number, choice: Choice): void {
  patch(id, { choice });
}

/**
 * Begins to upload all that was chosen. Does nothing while a name is undecided.
 * @param existing the names of the company's files
 * @param owner id of the person
 */
export function startUploads(existing: Iterable<string>, owner: string): void {
  const names = planNames(
    current.items.map(({ ownName, choice }) => ({ name: ownName, choice })),
    existing,
  );
  if (current.running || names.length === 0 || names.some(({ undecided }) => undecided)) return;
  const items = current.items.map((item, index): UploadItem => {
    return { ...item, name: names[index]?.name ?? item.name, state: 'waiting' };
  });
  run = new AbortController();
  change({ items, running: true, ended: null });
  void sendAll(run.signal, owner);
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

async function sendAll(signal: AbortSignal, owner: string): Promise<void> {
  const work = async () => {
    for (let item = nextWaiting(); item && !signal.aborted; item = nextWaiting()) await sendOne(item, owner, signal);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (signal.aborted) return;
  run = null;
  const failures = current.items
    .filter(({ state }) => state === 'failed')
    .map(({ name, reason }) => ({ name, reason: reason ?? messages.documents.uploadFailed }));
  change({ ...nothing, ended: { ok: failures.length === 0, failures } });
  await reloadFiles();
}

function nextWaiting(): UploadItem | undefined {
  return current.items.find(({ state }) => state === 'waiting');
}

async function sendOne({ id, file, name }: UploadItem, owner: string, signal: AbortSignal): Promise<void> {
  patch(id, { state: 'sending' });
  try {
    const { sendFile } = await import('./send-file.ts');
    await sendFile({ file, name, owner, signal, onProgress: (sent) => patch(id, { sent }) });
    patch(id, { state: 'done', sent: file.size });
  } catch (error) {
    if (signal.aborted) return;
    const fallback = error instanceof AppError ? error.message : String(error);
    patch(id, { state: 'failed', reason: messageOf(error, fallback) });
  }
}

function patch(id: number, fields: Partial<UploadItem>): void {
  change({ items: current.items.map((item) => (item.id === id ? { ...item, ...fields } : item)) });
}

function change(fields: Partial<Uploads>): void {
  current = { ...current, ...fields };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// The next person must not upload the files of the last one. Their bytes wait on the server to be gone on with.
onSignOut(cancelUploads);
