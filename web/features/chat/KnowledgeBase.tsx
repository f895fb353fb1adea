import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messages } from '#contract/messages.ts';
import { collectionsQuery } from '#web/api/collections.ts';
import { type CompanyFile, collectionOf, useCompanyFiles } from '#web/api/company-files.ts';
import { openOriginal } from '#web/api/documents.ts';
import { StillNotice } from '#web/features/documents/StillNotice.tsx';
import { isShownByBrowsers } from '#web/lib/place.ts';
import control from '#web/ui/control.module.css';
import { FileName } from '#web/ui/FileName.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Sidebar.module.css';
import { chatTexts } from './texts.ts';

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
        <div className={styles.coming}>
          <Skeleton label={messages.common.loading} />
        </div>
      )}
      {status === 'ready' && files.length === 0 && <p className={styles.empty}>{messages.chat.noDocuments}</p>}
      {files.length > 0 && <Files files={files} openId={openId} onOpen={(file) => void open(file)} />}
    </section>
  );
}

interface FileListProps {
  files: readonly CompanyFile[];
  openId: string | null;
  onOpen: (file: CompanyFile) => void;
}

/** So many are shown before one asks for all: the questions asked before stand below. */
const firstFiles = 8;

/** The first files, with the way to all of them and to those of a name. */
function Files({ files, ...rest }: FileListProps) {
  const [words, setWords] = useState('');
  const [all, setAll] = useState(false);
  const found = useMemo(() => {
    const wanted = words.trim().toLocaleLowerCase();
    return wanted === '' ? files : files.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  }, [files, words]);
  if (files.length <= firstFiles) return <Sections files={files} max={firstFiles} {...rest} />;
  const isWhole = all || words.trim() !== '';
  return (
    <>
      <input
        type="search"
        className={`${control.field} ${styles.filter}`}
        value={words}
        placeholder={chatTexts.findByName}
        aria-label={chatTexts.findDocuments}
        onChange={({ target }) => setWords(target.value)}
      />
      {found.length === 0 ? (
        <p className={styles.empty} role="status">
          {chatTexts.noneOfThisName}
        </p>
      ) : (
        <Sections files={found} max={isWhole ? found.length : firstFiles} {...rest} />
      )}
      {words.trim() === '' && (
        <button
          type="button"
          className={`${control.quiet} ${styles.more}`}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? chatTexts.fewer : chatTexts.all(files.length)}
        </button>
      )}
    </>
  );
}

/** The files by their collections, where there is more than one. `max`: of each. */
function Sections({ files, max, ...rest }: FileListProps & { max: number }) {
  const areMany = files.some(({ collectionId }) => collectionId !== undefined);
  const filesOf = Map.groupBy(files, collectionOf);
  const { data, isError } = useQuery({
    ...collectionsQuery,
    // Asked again where files come from one that was not known yet.
    queryKey: [...collectionsQuery.queryKey, ...[...filesOf.keys()].sort()],
    placeholderData: keepPreviousData,
    // A company that has none asks for none.
    enabled: areMany,
  });
  if (!areMany || isError) return <FileList files={files.slice(0, max)} {...rest} />;
  return (
    <div className={styles.collections}>
      {data?.map(({ collectionId, name }) => {
        const some = filesOf.get(collectionId) ?? [];
        if (some.length === 0) return null;
        return (
          <section key={collectionId} aria-label={name}>
            <h3>
              <bdi>{name}</bdi>
            </h3>
            <FileList files={some.slice(0, max)} {...rest} />
          </section>
        );
      })}
    </div>
  );
}

/** Draws only the files in sight: there may be 50,000. One stop of the Tab key; the arrow keys lead on from there. */
function FileList({ files, openId, onOpen }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(0);
  const current = Math.min(place, files.length - 1);
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Where the Tab key comes is there, wherever the list has been scrolled to.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(current, 0)])].sort((a, b) => a - b),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepOf(event.key, current, files.length);
    if (to === null) return;
    event.preventDefault();
    // At once, since the focus goes to what is drawn by it.
    flushSync(() => setPlace(to));
    virtual.scrollToIndex(to);
    scroller.current?.querySelector<HTMLElement>(`[aria-posinset="${to + 1}"] > *`)?.focus({ preventScroll: true });
  };
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul style={{ height: virtual.getTotalSize() }} className={styles.virtual} onKeyDown={onKeyDown}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const file = files[index];
          if (!file) return null;
          const note = noteOf(file);
          const row = {
            // The name on the screen is in two parts, which would be read as two words.
            'aria-label': note ? `${file.name} ${note}` : file.name,
            'data-open': file.id === openId || undefined,
            tabIndex: index === current ? 0 : -1,
            onFocus: () => setPlace(index),
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

/** In CSS pixels, as in the style sheet. For a finger a row is higher. */
const rowHeight = window.matchMedia('(pointer: coarse)').matches ? 46 : 34;

/** Where a key leads to in a list; null for any other key. */
function stepOf(key: string, place: number, count: number): number | null {
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1);
}

/** Where a file stands, as long as it is not simply ready. */
function noteOf({ state, progress, currentVersion }: CompanyFile): string | null {
  switch (state) {
    case 'uploading':
    case 'queued':
      return chatTexts.waiting;
    case 'processing':
      return progress && progress.total > 0 ? chatTexts.readingAt(progress.done, progress.total) : chatTexts.reading;
    case 'partial':
      return chatTexts.partlyRead;
    case 'failed':
      // The version before it still answers.
      return currentVersion === undefined ? chatTexts.notReadable : chatTexts.updateFailed;
    case 'ready':
      return null;
  }
}
