import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { currentLink, type Document, documentQuery, isBeingRead, linkQuery } from '#web/api/documents.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { isPicture, isShownByBrowsers, placeLabel } from '#web/lib/place.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { CopyLink } from './CopyLink.tsx';
import styles from './DocumentView.module.css';
import { PictureView } from './PictureView.tsx';
import { ReadingView } from './ReadingView.tsx';
import type { Target } from './target.ts';
import { viewerTexts as texts } from './texts.ts';

const PdfView = lazyPart(() => import('./PdfView.tsx').then(({ PdfView }) => PdfView));

export interface DocumentViewProps {
  target: Target;
  /** What leads to the other sources of the answer. */
  steps?: ReactNode;
  /** Given where the view can be closed. */
  onClose?: () => void;
  /** Told the name once it is known. */
  onName?: (name: string) => void;
}

/** A version of a document, opened at the cited passage with its words marked. */
export function DocumentView({ target, steps, onClose, onName }: DocumentViewProps) {
  const { documentId, version, cite, at } = target;
  const { data, error, refetch } = useQuery(documentQuery({ documentId, version, cite, at }));
  const heading = useRef<HTMLHeadingElement>(null);
  const label = useId();
  // On a page of its own the document is what the page is about.
  const Heading = onClose ? 'h2' : 'h1';

  // In a panel the reader has asked for it: there the keyboard goes on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each target
  useEffect(() => {
    if (onClose && !document.activeElement?.closest('[data-steps]')) heading.current?.focus({ preventScroll: true });
  }, [target]);
  const name = data?.name;
  useEffect(() => {
    if (name !== undefined) onName?.(name);
  }, [name, onName]);

  return (
    <section className={styles.view} aria-labelledby={label} data-viewer>
      <header className={styles.bar} data-in-use>
        <Heading ref={heading} id={label} tabIndex={-1} className={styles.name}>
          {data ? <FileName name={data.name} /> : texts.document}
        </Heading>
        {data && <span className={styles.facts}>{facts(data)}</span>}
        {steps}
        <span className={styles.space} />
        {data && <CopyLink target={target} />}
        {data && <OriginalLinks document={data} />}
        {!onClose && (
          <Link className={`${styles.original} ${styles.back}`} to="/chat">
            {texts.backToChat}
          </Link>
        )}
        {onClose && (
          <span className={styles.close}>
            <IconButton label={texts.close} size={32} onClick={onClose}>
              <CloseIcon />
            </IconButton>
          </span>
        )}
      </header>
      {data ? (
        <>
          {data.currentVersion !== undefined && data.currentVersion > version && (
            <p className={styles.superseded} role="status">
              {texts.supersededBy}{' '}
              <Link to={`/documents/${documentId}/${data.currentVersion}`}>{texts.version(data.currentVersion)}</Link>.{' '}
              {texts.asCited(version)}
            </p>
          )}
          <Body key={`${documentId} ${version} ${cite ?? at}`} document={data} page={target.page} />
        </>
      ) : (
        <Instead error={error} retry={() => void refetch()} />
      )}
    </section>
  );
}

function facts(document: Document): string {
  return [placeIn(document), texts.version(document.version)].filter((fact) => fact !== null).join(' · ');
}

/** Where the passage stands, in what has no bar above it that tells. */
function placeIn({ name, view, pages, citation, parts }: Document): string | null {
  const shown = citation?.page;
  if (shown === undefined || pages === undefined || view === 'pdf' || parts.length > 1) return null;
  return `${placeLabel(name, shown)} of ${pages}`;
}

function OriginalLinks({ document }: { document: Document }) {
  const { data: url } = useQuery(linkQuery(document, document.version));
  const shown = document.view === 'pdf' || isShownByBrowsers(document.name);
  // As wide as the links that it becomes.
  if (url === undefined)
    return (
      <>
        {shown && <span className={styles.original}>{texts.openOriginal}</span>}
        <span className={styles.original}>{texts.download}</span>
      </>
    );
  return (
    <>
      {shown && (
        <a className={styles.original} href={url} target="_blank" rel="noreferrer">
          {texts.openOriginal}
        </a>
      )}
      <a className={styles.original} href={url} download={document.name}>
        {texts.download}
      </a>
    </>
  );
}

function Instead({ error, retry }: { error: Error | null; retry: () => void }) {
  if (!error) return <Skeleton label={messages.common.loading} shape="sheet" lines={12} />;
  return (
    <div className={styles.problem}>
      <Problem error={error} retry={retry} />
    </div>
  );
}

function Problem({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof AppError && error.status === 'NOT_FOUND') {
    return <Notice kind="info">{texts.deleted}</Notice>;
  }
  return <LoadFailed retry={retry}>{messageOf(error, texts.notLoaded)}</LoadFailed>;
}

interface BodyProps {
  document: Document;
  page: number | undefined;
}

function Body({ document, page }: BodyProps) {
  const { citation, version } = document;
  const link = useCallback(
    () => currentLink({ path: document.path, bucket: document.bucket }, version),
    [document.path, document.bucket, version],
  );
  if (document.view === 'pdf') {
    return (
      <Suspense fallback={<Skeleton label={messages.common.loading} shape="sheet" lines={12} />}>
        <PdfView
          link={link}
          quote={citation ?? null}
          boxes={citation?.boxes ?? noBoxes}
          page={citation?.page ?? page ?? 1}
        />
      </Suspense>
    );
  }
  const text = document.blocks > 0 && (
    <ReadingView
      documentId={document.documentId}
      version={version}
      blocks={document.blocks}
      cited={citation ?? null}
      sections={document.parts}
      name={document.name}
    />
  );
  if (isPicture(document.name)) return <PictureView document={document}>{text}</PictureView>;
  return text || <EmptyState inset>{isBeingRead(document) ? texts.stillReading : texts.noText}</EmptyState>;
}

const noBoxes: NonNullable<Document['citation']>['boxes'] = [];
