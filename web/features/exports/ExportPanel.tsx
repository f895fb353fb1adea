import { useMutation, useQuery } from '@tanstack/react-query';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { downloadExport, type ExportOf, type ExportProgress, exportsQuery, startExport } from '#web/api/exports.ts';
import { formatBytes, formatMoment, formatWhole } from '#web/lib/format.ts';
import { Button } from '#web/ui/Button.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './ExportPanel.module.css';
import { words } from './words.ts';

/** Starts an export, shows how far it is, and gives it to be downloaded. */
export function ExportPanel({ of }: { of: ExportOf }) {
  const { data, error, refetch } = useQuery(exportsQuery);
  const starting = useMutation(startExport);
  const downloading = useMutation(downloadExport);
  const present = data?.[of];
  const problem = problemOf(starting.error ?? downloading.error);
  if (error && !data) return <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>;
  if (data === undefined) return <LoadingPart shape="lines" />;
  return (
    <div className={styles.panel}>
      {present?.state === 'running' && <Running present={present} />}
      {present?.state === 'ready' && (
        <p className={styles.state} role="status">
          {words.ready}
          {present.size === undefined ? '' : `, ${formatBytes(present.size)}`}.{' '}
          {present.expiresAt !== undefined && (
            <>
              {words.erasedOn} {formatWhole(present.expiresAt)}
              {words.goesAtOnce}
            </>
          )}
        </p>
      )}
      {present?.state === 'failed' && (
        <p className={styles.problem} role="alert">
          {present.reason}
        </p>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.actions}>
        {present?.state === 'ready' && (
          <Button pending={downloading.isPending} onClick={() => downloading.mutate(present.exportId)}>
            {words.download}
          </Button>
        )}
        {present?.state !== 'running' && (
          <Button
            look={present?.state === 'ready' ? 'plain' : 'main'}
            pending={starting.isPending}
            onClick={() => {
              downloading.reset();
              starting.mutate(of);
            }}
          >
            {present ? words.startNew : words.start}
          </Button>
        )}
      </p>
    </div>
  );
}

function Running({ present }: { present: ExportProgress }) {
  const { documents, documentsDone, bytes, bytesDone, startedAt } = present;
  const read = documents > 0 && documentsDone < documents;
  return (
    <div className={styles.running}>
      <Progress label={words.progress} done={bytesDone} total={bytes} />
      <p className={styles.state} role="status">
        {read
          ? words.progressOf(documentsDone, documents, formatBytes(bytesDone), formatBytes(bytes))
          : words.writingLists}
        {words.started(formatMoment(startedAt))}
      </p>
      <p className={styles.state}>{words.canLeave}</p>
    </div>
  );
}

/** Whoever would rather not confirm the password has done nothing wrong. */
function problemOf(error: Error | null): string | null {
  if (error === null || isCancelled(error)) return null;
  return messageOf(error, words.didNotWork);
}
