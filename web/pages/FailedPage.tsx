import { type ReactNode, useEffect } from 'react';
import { useConnection, whenReachable } from '#web/lib/connection.ts';
import { PartNotLoaded } from '#web/lib/lazy-part.ts';
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Message.module.css';
import { words } from './words.ts';

/** Shows in place of a page that could not be drawn what happened, and tries again where that can help. */
export function PageBoundary({ path, children }: { path: string; children: ReactNode }) {
  return (
    <ErrorBoundary resetKey={path} fallback={(error) => <FailedPage error={error} />}>
      {children}
    </ErrorBoundary>
  );
}

/**
 * The same of one part of a page, in its place. The page is loaded anew when the person says so: by itself it would
 * lose what is typed beside the part.
 */
export function PartBoundary({ problem, children }: { problem: string; children: ReactNode }) {
  return <ErrorBoundary fallback={() => <LoadFailed retry={reload}>{problem}</LoadFailed>}>{children}</ErrorBoundary>;
}

function FailedPage({ error }: { error: unknown }) {
  return <div className={styles.failed}>{error instanceof PartNotLoaded ? <NotLoaded /> : <Broken />}</div>;
}

/** Reloads as soon as the server answers: a browser does not fetch again what it has failed to fetch once. */
function NotLoaded() {
  const connection = useConnection();
  useEffect(() => {
    let left = false;
    void whenReachable().then(() => {
      if (!left) reloadOnce();
    });
    return () => {
      left = true;
    };
  }, []);
  return (
    <Notice kind="problem" title={words.notLoaded} action={{ label: words.tryAgain, run: reload }}>
      {connection === 'offline' ? words.offline : words.noAnswer}
    </Notice>
  );
}

function Broken() {
  return (
    <Notice kind="problem" title={words.wentWrong} action={{ label: words.reload, run: reload }}>
      {words.nothingLost}
    </Notice>
  );
}

function reload(): void {
  window.location.reload();
}

const reloadedKey = 'footnote.reloaded';
/** Milliseconds within which a page is not reloaded by itself twice: what does not come then will not come so. */
const reloadPauseMs = 30_000;

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey));
  if (Date.now() - last < reloadPauseMs) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  reload();
}
