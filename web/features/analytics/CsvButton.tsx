import { useMutation } from '@tanstack/react-query';
import { type AnalyticsRange, type AnalyticsTable, exportTable } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { saveText } from '#web/lib/save-as.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

/** Saves one of the tables, whole, as a file that spreadsheets open. */
export function CsvButton({ table, range, of }: { table: AnalyticsTable; range: AnalyticsRange; of: string }) {
  const { mutate, isPending } = useMutation({
    ...exportTable,
    onSuccess: ({ fileName, csv }) => saveText(fileName, csv, 'text/csv;charset=utf-8'),
    onError: (error) => showAlert('problem', messageOf(error, words.csvFailed)),
  });
  return (
    <Button
      compact
      look="plain"
      aria-label={words.downloadCsv(of)}
      pending={isPending}
      onClick={() => mutate({ ...range, table })}
    >
      {isPending ? words.preparing : 'CSV'}
    </Button>
  );
}
