import { AppError, type ErrorCode } from '#contract/errors.ts';
import { type Choice, isSameFile } from '#web/api/unfinished-uploads.ts';
import { type Interrupted, knownInterrupted } from '#web/api/uploads.ts';
import { nameOf, takenNames } from './names.ts';

/** One file of the upload window, from being chosen to its end. */
export interface UploadItem {
  id: number;
  file: File;
  /** Its own name, or where in a dropped folder it stood. */
  name: string;
  /** What happens where the name is taken; null until somebody has said. */
  choice: Choice | null;
  /** Id of the collection that was chosen for it; null: none was. */
  collection: string | null;
  state: 'chosen' | 'waiting' | 'sending' | 'done' | 'failed';
  /** Bytes. More than none before it begins: it goes on where an earlier try was cut off. */
  sent: number;
  /** Its content was there already. */
  unchanged: boolean;
  /** Its id on the server, once it has begun. */
  uploadId?: string;
  /** What it became. */
  documentId?: string;
  reason?: string;
  /** It has failed and can never be taken: there is no trying again. */
  isRefused?: boolean;
}

let nextId = 1;

/** The file as it is when it was chosen. */
export function itemOf(file: File): UploadItem {
  const name = nameOf(file);
  const item: UploadItem = {
    id: nextId++,
    file,
    name,
    choice: null,
    collection: null,
    state: 'chosen',
    sent: 0,
    unchanged: false,
  };
  const earlier = cutOff(item);
  return earlier
    ? { ...item, name: earlier.name, choice: earlier.choice, collection: earlier.collection, sent: earlier.sent }
    : item;
}

/** As it is when it is to be sent, for the first time or once more. */
export function waiting(item: UploadItem): UploadItem {
  return { ...item, state: 'waiting', reason: '' };
}

/** What it becomes when sending it has failed, for a reason that is told. */
export function failure(error: unknown, reason: string): Partial<UploadItem> {
  const isRefused = error instanceof AppError && ofTheFile.includes(error.code);
  return { state: 'failed', reason, ...(isRefused && { isRefused, sent: 0 }) };
}

/** Reasons that lie in the file itself: sent again as it is, it would be refused again. */
const ofTheFile: readonly ErrorCode[] = ['unsupported-format', 'file-empty', 'file-too-large', 'invalid-file-name'];

/** For this collection; null: for none. What is gone on with stays where it was begun. */
export function collected(item: UploadItem, collection: string | null): UploadItem {
  const earlier = cutOff(item);
  return { ...item, collection: earlier ? earlier.collection : collection };
}

function cutOff({ file }: UploadItem): Interrupted | undefined {
  return knownInterrupted().find((each) => isSameFile(each, file));
}

/** Those that can be sent. */
export function sendable(items: readonly UploadItem[]): UploadItem[] {
  return items.filter(({ isRefused }) => !isRefused);
}

/** Those to be sent whose name is taken and of which nobody has said what to do. */
export function undecided(items: readonly UploadItem[], existing: Iterable<string>): UploadItem[] {
  const sent = sendable(items);
  const taken = takenNames(
    sent.map(({ name }) => name),
    existing,
  );
  return sent.filter(({ choice }, place) => taken[place] && choice === null);
}
