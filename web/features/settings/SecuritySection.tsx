import { sessionDayChoices, sessionIdleChoices } from '#contract/settings.ts';
import { type CompanySettings, setSessionDays } from '#web/api/company-settings.ts';
import { AccountButton } from '#web/features/session/AccountButton.tsx';
import { ChooseOne } from '#web/ui/Choices.tsx';
import { Section } from '#web/ui/Section.tsx';
import { AllowedAddressesSection } from './AllowedAddressesSection.tsx';
import { SecondFactorRule } from './SecondFactorRule.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { SingleSignOnSection } from './SingleSignOnSection.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

const choices = [
  ...sessionDayChoices.map((days) => ({
    value: String(days),
    label: days === 1 ? words.afterADay : words.afterDays(days),
  })),
  { value: '', label: words.onlyUnused },
];

const idleChoices = [
  ...sessionIdleChoices.map((minutes) => ({
    value: String(minutes),
    label:
      minutes < 60 ? words.afterMinutes(minutes) : minutes === 60 ? words.afterAnHour : words.afterHours(minutes / 60),
  })),
  { value: '', label: words.onlyAfterMonth },
];

/** One's own password, and how long the sessions of the company's people last. */
export function SecuritySection({
  settings,
  hasSingleSignOn,
  hasAllowedAddresses,
}: {
  settings: CompanySettings;
  hasSingleSignOn: boolean;
  hasAllowedAddresses: boolean;
}) {
  const { sessionDays, sessionIdleMinutes } = settings;
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    { sessionDays, sessionIdleMinutes },
    setSessionDays,
  );
  return (
    <>
      <Section heading={words.yourPassword}>
        <p className={styles.lead}>{words.passwordLead}</p>
        <p className={styles.action}>
          <AccountButton className={styles.button}>{words.changePassword}</AccountButton>
        </p>
      </Section>
      <SecondFactorRule settings={settings} />
      <SingleSignOnSection isUnlocked={hasSingleSignOn} />
      <AllowedAddressesSection isUnlocked={hasAllowedAddresses} />
      <Section heading={words.sessions}>
        <SettingsForm
          label={words.sessions}
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
            legend={words.signInAgain}
            hint={words.signInAgainHint}
            choices={choices}
            value={values.sessionDays === null ? '' : String(values.sessionDays)}
            onChange={(value) => {
              change({ sessionDays: value === '' ? null : Number(value) });
            }}
          />
          <ChooseOne
            legend={words.unusedEnds}
            hint={words.unusedEndsHint}
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
