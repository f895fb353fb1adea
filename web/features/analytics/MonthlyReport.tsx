import { useMutation, useQuery } from '@tanstack/react-query';
import { analyticsSettingsQuery, updateAnalyticsSettings } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import styles from './Analytics.module.css';
import { words } from './words.ts';

/** Whether the admins are mailed what was asked in the month before. */
export function MonthlyReport() {
  const { data } = useQuery(analyticsSettingsQuery);
  const { mutate, isPending, variables } = useMutation({
    ...updateAnalyticsSettings,
    onError: (error) => showAlert('problem', messageOf(error, words.notSaved)),
  });
  const checked = isPending ? (variables.monthlyReport ?? false) : (data?.monthlyReport ?? false);
  return (
    <label className={styles.report}>
      <input
        type="checkbox"
        checked={checked}
        disabled={!data}
        onChange={({ target }) => !isPending && mutate({ monthlyReport: target.checked })}
      />
      <span>{words.mailAdmins}</span>
    </label>
  );
}
