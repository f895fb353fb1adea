import { formatBytes } from '#web/lib/format.ts';

const number = (value: number) => value.toLocaleString();

/** Our own texts about uploads; those of the specification are in `contract/messages.ts`. */
export const words = {
  dropHere: 'Drop files here',
  dropOr: 'Drop files or folders here, or ',
  chooseFiles: 'choose files',
  or: ' or ',
  chooseFolder: 'a folder',
  formats: 'PDF, Office, OpenDocument, mail, e-books, web pages, text, CSV and pictures',
  filesInput: 'Files to upload',
  folderInput: 'Folder to upload',
  upload: 'Files can be uploaded',
  selected: 'Selected files',

  /** `18 of 30 · 21 of 34 MB` */
  progress: (files: { done: number; all: number }, bytes: { sent: number; all: number }) =>
    `${number(files.done)} of ${number(files.all)} · ${bytesOf(bytes.sent, bytes.all)}`,
  failedCount: (count: number) => (count === 1 ? '1 failed' : `${number(count)} failed`),
  percent: (percent: number) => `${percent} %`,
  alreadyThere: 'Already there',
  uploaded: 'Uploaded',
  failed: 'Failed',
  begunElsewhere: (count: number) =>
    count === 1
      ? 'One of these was begun before, and stays where it was to go then.'
      : `${number(count)} of these were begun before, and stay where they were to go then.`,
  goesOnAt: (percent: string) => `goes on at ${percent}`,
  replaces: 'replaces',
  keptBeside: 'kept beside',
  uploadOf: (name: string) => `Upload of ${name}`,
  remove: (name: string) => `Remove ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  retry: 'Retry',
  retryOf: (name: string) => `Retry ${name}`,

  dropAnywhere: 'Drop files to upload them',
  dropFailed: 'What was dropped could not be read.',
  busy: 'Please wait until the uploads under way have ended.',

  takenTitle: 'Replace or keep both?',
  takenBefore: 'A file named ',
  takenAfter: ' is already there.',
  replace: 'Replace',
  replaceMeans: ' makes it the next version: answers use that one, and old citations still open what they cited. ',
  keepBoth: 'Keep both',
  keepBothMeans: ' adds it under another name.',
  forAll: (others: number) =>
    `Do the same for ${others === 1 ? 'the other file' : `the other ${number(others)} files`} whose name is taken`,

  tray: 'Uploads',
  show: 'Show',
  dismiss: 'Dismiss',
  failedFiles: (count: number) =>
    count === 1 ? '1 file was not uploaded' : `${number(count)} files were not uploaded`,
  andMore: (count: number) => ` and ${number(count)} more`,
  others: (count: number) =>
    count === 1 ? 'Another one failed for another reason.' : `${number(count)} others failed for other reasons.`,
  unchanged: (count: number) =>
    count === 1
      ? 'One was there already with the same content, and stays as it is.'
      : `${number(count)} were there already with the same content, and stay as they are.`,

  ready: (ready: number, unreadable: number) =>
    [
      ready > 0 && (ready === 1 ? '1 document ready.' : `${number(ready)} documents ready.`),
      unreadable > 0 && (unreadable === 1 ? '1 could not be read.' : `${number(unreadable)} could not be read.`),
    ]
      .filter((part) => part !== false)
      .join(' '),
  askFirst: 'Ask the first question',
  ask: 'Ask a question',
  seeWhy: 'See why',

  unfinished: (count: number) => (count === 1 ? 'Unfinished upload' : `${number(count)} unfinished uploads`),
  chooseAgain: (count: number) => `Choose ${count === 1 ? 'the same file' : 'the same files'} again to go on.`,
  giveUp: (name: string) => `Give up the upload of ${name}`,
  notTheSame: 'Not the same as before, so not gone on with: ',
  chooseThe: (count: number) => (count === 1 ? 'Choose the file' : 'Choose the files'),
  filesToGoOn: 'Files to go on with',
  cancelFailed: 'The upload could not be cancelled.',
} as const;

/** In the unit of the whole, which is written once: `21 of 34 MB`. */
function bytesOf(sent: number, all: number): string {
  const [whole, part] = [formatBytes(all), formatBytes(sent)];
  const unit = whole.replace(/^[\d.,\s]+/u, '');
  return part.endsWith(unit) ? `${part.slice(0, -unit.length).trim()} of ${whole}` : `${part} of ${whole}`;
}
