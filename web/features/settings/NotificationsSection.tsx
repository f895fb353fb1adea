import { Link } from 'react-router';
import { type CompanySettings, setDigest } from '#web/api/company-settings.ts';
import { ChooseSome } from '#web/ui/Choices.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';

const choices = [
  { value: 'failedFiles', label: 'Files that could not be read' },
  { value: 'unanswered', label: 'Questions that found no answer' },
] as const;

/** What the person is mailed about. */
export function NotificationsSection({ settings: { digest }, email }: { settings: CompanySettings; email: string }) {
  const { values, saving, hasChanges, change, discard } = useSavedDraft(digest, setDigest);
  return (
    <SettingsForm
      label="Notifications"
      hasChanges={hasChanges}
      saving={saving}
      onSave={() => saving.mutate(values)}
      onDiscard={discard}
    >
      <ChooseSome
        legend="One mail a day, when there is something to tell"
        hint={`Goes to you alone, at ${email}. Every admin chooses for themselves.`}
        choices={choices}
        values={choices.map(({ value }) => value).filter((value) => values[value])}
        onChange={(chosen) => {
          change({ failedFiles: chosen.includes('failedFiles'), unanswered: chosen.includes('unanswered') });
        }}
      />
      <p className={styles.lead}>
        About payments all admins are mailed in any case. A monthly report is switched on under{' '}
        <Link to="/admin/analytics">Analytics</Link>.
      </p>
    </SettingsForm>
  );
}
