import type { CompanyFile } from '#web/api/company-files.ts';
import { formatBytes, formatMoment } from '#web/lib/format.ts';
import { words } from './words.ts';

export interface FileStateText {
  /** Where it stands. */
  text: string;
  /** Something the admin should see to. */
  bad: boolean;
  /** How much of it has come, or has been read, where that is known. */
  progress: { done: number; total: number } | null;
}

/** Where a file stands, in words. */
export function fileStateText(file: CompanyFile): FileStateText {
  const plain = (text: string): FileStateText => ({ text, bad: false, progress: null });
  const bad = (text: string): FileStateText => ({ text, bad: true, progress: null });
  switch (file.state) {
    case 'uploading':
      return { ...plain(words.states.uploading), progress: file.progress ?? null };
    case 'queued':
      return plain(words.waiting);
    case 'processing':
      if (!file.progress || file.progress.total === 0) return plain(words.states.reading);
      return { ...plain(words.readingPage(file.progress.done, file.progress.total)), progress: file.progress };
    case 'ready':
      return plain(words.states.ready);
    case 'partial':
      return bad(words.partlyReadable(file.reason));
    case 'failed':
      return bad(words.failed(file.reason));
  }
}

/** What could not be read of a partly readable file, a sentence for each reason: `Pages 3, 7: they are blank.` */
export function unreadSentences({ state, reason = '' }: CompanyFile): string[] {
  return state === 'partial' && reason !== '' ? reason.split(/(?<=[.!?]) (?=Pages? \d)/) : [];
}

/** What else is known of it: `22 pages · version 3 · 1.2 MB · today, 09:14`. */
export function fileFacts(file: CompanyFile, now = new Date(), locale?: string): string {
  return [
    ...versionFacts(file, locale),
    formatBytes(file.size, locale),
    formatMoment(file.uploadedAt, now, locale),
  ].join(' · ');
}

/**
 * What stands below a name where size and time have columns of their own: `22 pages · version 3 · by ada@…`.
 * @param emails by the person's id; absent: not known yet
 */
export function documentFacts(file: CompanyFile, emails?: ReadonlyMap<string, string>): string {
  const { uploadedBy = '', uploadedByKey } = file;
  const who =
    uploadedByKey === undefined
      ? emails && words.uploadedBy(emails.get(uploadedBy))
      : words.uploadedByKey(uploadedByKey);
  return [...versionFacts(file), ...(who === undefined ? [] : [who])].join(' · ');
}

function versionFacts({ pages, version, currentVersion }: CompanyFile, locale?: string): string[] {
  const isOlder = currentVersion !== undefined && currentVersion !== version;
  return [
    ...(pages === undefined ? [] : [words.pages(pages, locale)]),
    words.version(version),
    ...(isOlder ? [words.answers(currentVersion)] : []),
  ];
}

/** Whether reading it once more may help. */
export function isRetryable({ state }: CompanyFile): boolean {
  return state === 'failed' || state === 'partial';
}
