import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type CompanyFile, useCompanyFiles } from '#web/api/company-files.ts';
import { openOriginal } from '#web/api/documents.ts';
import { StillNotice } from '#web/features/documents/StillNotice.tsx';
import { isShownByBrowsers } from '#web/lib/place.ts';
import { FileName } from '#web/ui/FileName.tsx';
import styles from './Sidebar.module.css';

/**
 * The company's files, live; a click opens each in a new tab: the original where browsers show such a file, else its
 * text.
 */
export function KnowledgeBase({ openId }: { openId: string | null }) {
  const { files: all, status } = useCompanyFiles();
  // An upload under way is nothing yet that could be opened.
  const files = useMemo(() => all.filter(({ state }) => state !== 'uploading'), [all]);
  const [problem, setProblem] = useState<string | null>(null);

  const open = async (file: CompanyFile) => {
    setProblem(null);
    try {
      await openOriginal(file);
    } catch (error) {
      console.warn('The original could not be opened.', error);
      setProblem(messages.chat.openFileFailed);
    }
  };

  return (
    <section className={styles.section} aria-labelledby="knowledge-base">
      <h2 id="knowledge-base">{messages.chat.knowledgeBase}</h2>
      <StillNotice />
      {status === 'failed' && (
        <p className={styles.problem} role="alert">
          {messages.chat.fileListFailed}
        </p>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {status === 'loading' && (
        <p className={styles.empty} role="status">
          {messages.common.loading}
        </p>
      )}
      {status === 'ready' && files.length === 0 && <p className={styles.empty}>{messages.chat.noDocuments}</p>}
      {files.length > 0 && <FileList files={files} openId={openId} onOpen={(file) => void open(file)} />}
    </section>
  );
}

interface FileListProps {
  files: readonly CompanyFile[];
  openId: string | null;
  onOpen: (file: CompanyFile) => void;
}

/** Draws only the files in sight: there may be 50,000. */
function FileList({ files, openId, onOpen }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    overscan: 12,
  });
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul style={{ height: virtual.getTotalSize() }} className={styles.virtual}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const file = files[index];
          if (!file) return null;
          const note = noteOf(file);
          const row = {
            // The name on the screen is in two parts, which would be read as two words.
            'aria-label': note ? `${file.name} ${note}` : file.name,
            'data-open': file.id === openId || undefined,
            children: (
              <>
                <FileName name={file.name} />{' '}
                {note && <small data-bad={file.state === 'failed' || undefined}>{note}</small>}
              </>
            ),
          };
          return (
            <li
              key={file.id}
              aria-setsize={files.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {isShownByBrowsers(file.name) ? (
                <button type="button" {...row} onClick={() => onOpen(file)} />
              ) : (
                // Any other original is a download, and its tab would stay empty.
                <a
                  href={`/documents/${file.id}/${file.currentVersion ?? file.version}`}
                  target="_blank"
                  rel="noopener"
                  {...row}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Where a file stands, as long as it is not simply ready. */
function noteOf({ state, progress, currentVersion }: CompanyFile): string | null {
  switch (state) {
    case 'uploading':
    case 'queued':
      return 'waiting';
    case 'processing':
      return progress && progress.total > 0 ? `reading ${progress.done}/${progress.total}` : 'reading';
    case 'partial':
      return 'partly read';
    case 'failed':
      // The version before it still answers.
      return currentVersion === undefined ? 'not readable' : 'update failed';
    case 'ready':
      return null;
  }
}
