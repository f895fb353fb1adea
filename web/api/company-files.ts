import { mutationOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import { stream } from './stream.ts';

export type { CompanyFile };

export interface CompanyFiles {
  /** Sorted by name. Empty until known. */
  files: readonly CompanyFile[];
  status: 'loading' | 'ready' | 'failed';
  error: Error | null;
}

export const filesQuery = queryOptions({
  queryKey: ['files'],
  queryFn: ({ signal }) => readFiles(signal),
});

/** The company's files with their states, live as long as a screen shows them. */
export function useCompanyFiles(): CompanyFiles {
  const { data, error } = useQuery(filesQuery);
  // The stream begins with the whole list, so nothing is missed by starting it only now; before, it would hide that the
  // list could not be read.
  const known = data !== undefined;
  useEffect(() => (known ? watchFiles() : undefined), [known]);
  if (data) return { files: data, status: 'ready', error: null };
  return { files: [], status: error ? 'failed' : 'loading', error };
}

/** Every tag in use, in the order of the alphabet. */
export function tagsOf(files: readonly CompanyFile[]): string[] {
  return [...new Set(files.flatMap(({ tags = [] }) => tags))].toSorted((a, b) => a.localeCompare(b));
}

async function readFiles(signal: AbortSignal): Promise<readonly CompanyFile[]> {
  // What changes while the list is on its way could be overwritten by it: the next stream begins with the whole list.
  cursor = undefined;
  const meanwhile: Change[] = [];
  const before = queryClient.getQueryData(filesQuery.queryKey) ?? [];
  reading.add(meanwhile);
  try {
    const listed = await call('getCompanyFiles', null, { signal });
    const ids = new Set(listed.map(({ id }) => id));
    for (const { id, state } of before) if (state === 'uploading' && !ids.has(id)) ended.add(id);
    const files: readonly CompanyFile[] = shownOf(listed);
    return meanwhile.reduce((now, change) => change(now), files);
  } finally {
    reading.delete(meanwhile);
  }
}

type Change = (files: readonly CompanyFile[]) => readonly CompanyFile[];
/** Of each list that is on its way, what has changed since it was asked for: it may tell of the time before. */
const reading = new Set<Change[]>();

/**
 * Ids that do not come back: of uploads that are over, and of what was deleted here. What is told of one later is of
 * the time before, and would show an upload beside the document that it has become.
 */
const ended = new Set<string>();

/** Reads the list again. */
export function reloadFiles(): Promise<void> {
  return queryClient.invalidateQueries(filesQuery);
}

/** Deletes a file with all its versions. */
export const deleteFile = mutationOptions({
  mutationFn: async ({ id, path }: CompanyFile) => {
    const answer = await call('deleteFile', { filePath: path });
    dropFile(id);
    return answer;
  },
});

/** Has a failed or partly readable file read once more; shown at once, taken back when the server refuses. */
export const retryFile = mutationOptions({
  mutationFn: async ({ id, state, reason, progress }: CompanyFile) => {
    changeFiles([id], ({ reason: _, progress: __, ...rest }) => ({ ...rest, state: 'queued' }));
    try {
      await call('retryFile', { documentId: id });
    } catch (error) {
      const before = { state, ...(reason !== undefined && { reason }), ...(progress !== undefined && { progress }) };
      changeFiles([id], (now) => (now.state === 'queued' ? { ...now, ...before } : now));
      throw error;
    }
  },
});

/** Gives a file these tags in place of those it has. */
export const setFileTags = mutationOptions({
  mutationFn: async ({ file, tags }: { file: CompanyFile; tags: string[] }) => {
    const answer = await call('setFileTags', { documentId: file.id, tags });
    changeFiles([file.id], (now) => ({ ...now, tags: answer.tags }));
  },
});

/** Takes a deleted file off the list before the server tells. */
export function dropFile(id: string): void {
  dropFiles([id]);
}

export function dropFiles(ids: readonly string[]): void {
  for (const id of ids) ended.add(id);
  update((files) => withChanges(files, new Map(ids.map((id) => [id, null]))));
}

/** Shows what is known of the change of files before the server tells. */
export function changeFiles(ids: readonly string[], change: (file: CompanyFile) => CompanyFile): void {
  const changed = new Set(ids);
  update((files) => files.map((file) => (changed.has(file.id) ? change(file) : file)));
}

/** @param changes by id; null: gone */
function withChanges(
  files: readonly CompanyFile[],
  changes: ReadonlyMap<string, CompanyFile | null>,
): readonly CompanyFile[] {
  const added = new Map(changes);
  const kept = files.flatMap((file) => {
    const change = changes.get(file.id);
    if (change === undefined) return [file];
    added.delete(file.id);
    return change ?? [];
  });
  const fresh = [...added.values()].filter((file) => file !== null);
  return fresh.length === 0 ? kept : shownOf([...kept, ...fresh]);
}

function shownOf(files: readonly CompanyFile[]): CompanyFile[] {
  return files.filter(({ id }) => !ended.has(id)).sort((a, b) => byName(a.name, b.name));
}

/** Names as a person counts: `Part 2` before `Part 10`. */
const byName = new Intl.Collator(undefined, { numeric: true }).compare;

function update(change: Change): void {
  for (const meanwhile of reading) meanwhile.push(change);
  queryClient.setQueryData(filesQuery.queryKey, (files) => files && change(files));
}

/** Whether the list stands still, since a person has it open in too many places and this is the oldest. */
export function useIsStill(): boolean {
  return useStore(isStill);
}

/** Follows the list again; of the places in which it is open another one then stands still. */
export function followAgain(): void {
  isStill.set(false);
  if (watching) void follow(watching.signal);
}

const isStill = createStore(false);
let watchers = 0;
let watching: AbortController | null = null;

/** Follows the list: one stream however many screens look. Returns the way to stop. */
export function watchFiles(): () => void {
  watchers++;
  if (!watching) {
    watching = new AbortController();
    isStill.set(false);
    void follow(watching.signal);
  }
  return () => {
    watchers--;
    if (watchers > 0) return;
    watching?.abort();
    watching = null;
  };
}

const pauseAfterError = 5000;
/** Until where changes have been told; a stream that is opened again is told what came after. */
let cursor: string | undefined;

/** Streams change after change, asking again each time the server ends the stream, until the signal fires. */
async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await stream('watchFiles', cursor === undefined ? null : { since: cursor }, { signal, onMessage: take });
    } catch (error) {
      if (signal.aborted || (error instanceof AppError && error.status === 'UNAUTHENTICATED')) return;
      // Asking again by itself would end another one's, which would end this one's in turn.
      if (error instanceof AppError && error.code === 'too-many-streams') return isStill.set(true);
      // Without the stream the list is still read, only less often.
      await new Promise((resolve) => setTimeout(resolve, pauseAfterError));
      if (!signal.aborted) await reloadFiles();
    }
  }
}

type Message =
  | { type: 'files'; files: CompanyFile[]; cursor: string }
  | { type: 'resumed'; cursor: string }
  | { type: 'changed'; file: CompanyFile; cursor?: string | undefined }
  | { type: 'removed'; id: string; cursor?: string | undefined };

function take(change: Message): void {
  if (change.type === 'files') {
    untold.clear();
    const all: readonly CompanyFile[] = shownOf(change.files);
    update(() => all);
  } else if (change.type === 'changed') tellSoon(change.file.id, change.file);
  else if (change.type === 'removed') tellSoon(change.id, null);
  if (change.cursor !== undefined) cursor = change.cursor;
}

/** Where hundreds of files are changed at once, the list is not made, and drawn, hundreds of times. */
const gatherMs = 50;
/** By id, in the order in which they came; null: gone. */
const untold = new Map<string, CompanyFile | null>();

function tellSoon(id: string, file: CompanyFile | null): void {
  if (untold.size === 0) {
    setTimeout(() => {
      const changes = new Map(untold);
      untold.clear();
      if (changes.size > 0) update((files) => withChanges(files, changes));
    }, gatherMs);
  }
  untold.set(id, file);
}

/** The id of its collection: the company's own has the company's, with which the path begins. */
export function collectionOf({ collectionId, path }: CompanyFile): string {
  return collectionId ?? path.slice(0, path.indexOf('/'));
}
