import { Link } from 'react-router';
import { type CompanySettings, setDigest } from '#web/api/company-settings.ts';
import { ChooseSome } from '#web/ui/Choices.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

const choices = [
  { value: 'failedFiles', label: words.failedFiles },
  { value: 'unanswered', label: words.unanswered },
] as const;

/** What the person is mailed about. */
export function NotificationsSection({ settings: { digest }, email }: { settings: CompanySettings; email: string }) {
  const { values, saving, hasChanges, change, discard } = useSavedDraft(digest, setDigest);
  return (
    <SettingsForm
      label={words.notifications}
      hasChanges={hasChanges}
      saving={saving}
      onSave={() => saving.mutate(values)}
      onDiscard={discard}
    >
      <ChooseSome
        legend={words.oneMailADay}
        hint={words.goesToYou(email)}
        choices={choices}
        values={choices.map(({ value }) => value).filter((value) => values[value])}
        onChange={(chosen) => {
          change({ failedFiles: chosen.includes('failedFiles'), unanswered: chosen.includes('unanswered') });
        }}
      />
      <p className={styles.lead}>
        {words.paymentMails} <Link to="/admin/analytics">{words.analytics}</Link>.
      </p>
    </SettingsForm>
  );
}
