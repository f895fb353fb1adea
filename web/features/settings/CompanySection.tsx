import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type MailLanguage, mailLanguages } from '#contract/settings.ts';
import { type CompanySettings, updateCompany } from '#web/api/company-settings.ts';
import { Field, Select } from '#web/ui/Field.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

const languageNames: Record<MailLanguage, string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

/** What the company is called, where its days begin, and what it is mailed in. */
export function CompanySection({ settings: { name, timeZone, mailLanguage } }: { settings: CompanySettings }) {
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    { name, timeZone, mailLanguage },
    updateCompany,
  );
  const [isNameless, setIsNameless] = useState(false);
  const edit = (changes: Partial<typeof values>) => {
    change(changes);
  };
  const save = () => {
    const isEmpty = values.name.trim() === '';
    setIsNameless(isEmpty);
    if (!isEmpty) saving.mutate({ ...values, name: values.name.trim() });
  };
  return (
    <SettingsForm label={words.company} hasChanges={hasChanges} saving={saving} onSave={save} onDiscard={discard}>
      <Field
        label={words.companyName}
        dir="auto"
        autoComplete="organization"
        maxLength={200}
        value={values.name}
        onChange={({ target }) => edit({ name: target.value })}
        error={isNameless && values.name.trim() === '' ? messages.signup.companyNameRequired : undefined}
      />
      <Select
        label={words.timeZone}
        hint={words.timeZoneHint}
        value={values.timeZone}
        onChange={(zone) => edit({ timeZone: zone })}
      >
        {zones(values.timeZone).map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
      <Select
        label={words.mailLanguage}
        hint={words.mailLanguageHint}
        value={values.mailLanguage}
        onChange={(value) => {
          const chosen = mailLanguages.find((each) => each === value);
          if (chosen) edit({ mailLanguage: chosen });
        }}
      >
        {mailLanguages.map((each) => (
          <option key={each} value={each} lang={each}>
            {languageNames[each]}
          </option>
        ))}
      </Select>
    </SettingsForm>
  );
}

/** All that the browser knows, with the one that is set: another browser may have known more. */
function zones(set: string): string[] {
  return [...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')])].sort((one, other) =>
    one.localeCompare(other),
  );
}
