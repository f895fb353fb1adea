import { sessionDayChoices, sessionIdleChoices } from '#contract/settings.ts';
import { type CompanySettings, setSessionDays } from '#web/api/company-settings.ts';
import { AccountButton } from '#web/features/session/AccountButton.tsx';
import { ChooseOne } from '#web/ui/Choices.tsx';
import { Section } from '#web/ui/Section.tsx';
import { SecondFactorRule } from './SecondFactorRule.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';

const choices = [
  ...sessionDayChoices.map((days) => ({
    value: String(days),
    label: days === 1 ? 'After a day' : `After ${days} days`,
  })),
  { value: '', label: 'Only after 30 days without use' },
];

const idleChoices = [
  ...sessionIdleChoices.map((minutes) => ({
    value: String(minutes),
    label: minutes < 60 ? `After ${minutes} minutes` : minutes === 60 ? 'After an hour' : `After ${minutes / 60} hours`,
  })),
  { value: '', label: 'Only after 30 days' },
];

/** One's own password, and how long the sessions of the company's people last. */
export function SecuritySection({ settings }: { settings: CompanySettings }) {
  const { sessionDays, sessionIdleMinutes } = settings;
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    { sessionDays, sessionIdleMinutes },
    setSessionDays,
  );
  return (
    <>
      <Section heading="Your password">
        <p className={styles.lead}>
          A changed password signs you out everywhere else. Everyone in your company changes their own in their account.
        </p>
        <p className={styles.action}>
          <AccountButton className={styles.button}>Change your password</AccountButton>
        </p>
      </Section>
      <SecondFactorRule settings={settings} />
      <Section heading="Sessions">
        <SettingsForm
          label="Sessions"
          hasChanges={hasChanges}
          saving={saving}
          onSave={() =>
            saving.mutate({
              days: sessionDayChoices.find((days) => days === values.sessionDays) ?? null,
              idleMinutes: sessionIdleChoices.find((minutes) => minutes === values.sessionIdleMinutes) ?? null,
            })
          }
          onDiscard={discard}
        >
          <ChooseOne
            legend="Everyone has to sign in again"
            hint="Counts for sessions that are open now, too. In any case a session ends after 30 days without use."
            choices={choices}
            value={values.sessionDays === null ? '' : String(values.sessionDays)}
            onChange={(value) => {
              change({ sessionDays: value === '' ? null : Number(value) });
            }}
          />
          <ChooseOne
            legend="A session that nobody uses ends"
            hint="A page that is only left open is not used: it signs out by itself."
            choices={idleChoices}
            value={values.sessionIdleMinutes === null ? '' : String(values.sessionIdleMinutes)}
            onChange={(value) => {
              change({ sessionIdleMinutes: value === '' ? null : Number(value) });
            }}
          />
        </SettingsForm>
      </Section>
    </>
  );
}
