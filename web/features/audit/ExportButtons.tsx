import { useMutation } from '@tanstack/react-query';
import { type AuditWanted, exportAudit } from '#web/api/audit.ts';
import { messageOf } from '#web/api/call.ts';
import { saveFrom } from '#web/lib/save-as.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import styles from './Audit.module.css';
import { words } from './words.ts';

const formats = [
  { format: 'csv', name: 'CSV' },
  { format: 'ndjson', name: 'NDJSON' },
] as const;

/** Saves what is wanted of the log, whole: the browser writes it as it comes. */
export function ExportButtons({ wanted }: { wanted: AuditWanted }) {
  const { mutate, isPending, variables } = useMutation({
    ...exportAudit,
    onSuccess: ({ url }) => saveFrom(new URL(url).pathname),
    onError: (error) => showAlert('problem', messageOf(error, words.fileFailed)),
  });
  return (
    <span className={styles.exports}>
      {formats.map(({ format, name }) => (
        <Button
          key={format}
          compact
          look="plain"
          aria-label={words.downloadAs(name)}
          pending={isPending && variables.format === format}
          onClick={() => mutate({ ...wanted, format })}
        >
          {name}
        </Button>
      ))}
    </span>
  );
}
