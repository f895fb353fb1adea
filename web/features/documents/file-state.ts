import type { CompanyFile } from '#web/api/company-files.ts';
import { formatBytes, formatMoment } from '#web/lib/format.ts';

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
      return { ...plain('Uploading'), progress: file.progress ?? null };
    case 'queued':
      return plain('Waiting to be read');
    case 'processing':
      if (!file.progress || file.progress.total === 0) return plain('Reading');
      return { ...plain(`Reading page ${file.progress.done} of ${file.progress.total}`), progress: file.progress };
    case 'ready':
      return plain('Ready');
    case 'partial':
      return bad(file.reason ? `Partly readable: ${file.reason}` : 'Partly readable');
    case 'failed':
      return bad(file.reason ? `Failed: ${file.reason}` : 'Failed');
  }
}

/** What else is known of it: `22 pages · version 3 · 1.2 MB · today, 09:14`. */
export function fileFacts(file: CompanyFile, now = new Date(), locale?: string): string {
  const older = file.currentVersion !== undefined && file.currentVersion !== file.version;
  return [
    file.pages !== undefined && (file.pages === 1 ? '1 page' : `${file.pages.toLocaleString(locale)} pages`),
    `version ${file.version}`,
    older && `version ${file.currentVersion} answers`,
    formatBytes(file.size, locale),
    formatMoment(file.uploadedAt, now, locale),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** Whether reading it once more may help. */
export function isRetryable({ state }: CompanyFile): boolean {
  return state === 'failed' || state === 'partial';
}
