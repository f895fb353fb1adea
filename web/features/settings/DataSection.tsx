import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { analyticsSettingsQuery, updateAnalyticsSettings } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { exportsQuery } from '#web/api/exports.ts';
import { DeleteCompany } from '#web/features/company-end/DeleteCompany.tsx';
import { ExportPanel } from '#web/features/exports/ExportPanel.tsx';
import { ChooseSome } from '#web/ui/Choices.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Field } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

/** What the server takes, in days. */
const bounds = { min: 1, max: 3650 };

interface Kept {
  showNames: boolean;
  questionRetentionDays: number;
}

/** What becomes of the company's data: how long it is kept, how it is taken along, and its end. */
export function DataSection({ companyName }: { companyName: string }) {
  const settings = useQuery(analyticsSettingsQuery);
  const exports = useQuery(exportsQuery);
  // Each would move what stands below it as it comes.
  if (!settings.isFetched || !exports.isFetched) return <LoadingPart />;
  return (
    <>
      <Section heading={words.retention}>
        <Retention />
      </Section>
      <Section heading={words.export}>
        <p className={styles.lead}>{words.exportLead}</p>
        <ExportPanel of="company" />
      </Section>
      <Section heading={words.deleteCompany}>
        <DeleteCompany name={companyName} />
      </Section>
    </>
  );
}

/** How long questions are kept, and whether analytics name those who asked. */
function Retention() {
  const { data, error, refetch } = useQuery(analyticsSettingsQuery);
  if (data) return <KeptForm kept={data} />;
  if (!error) return <LoadingPart />;
  return <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>;
}

function KeptForm({ kept: { showNames, questionRetentionDays } }: { kept: Kept }) {
  const [isAsked, setIsAsked] = useState(false);
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    { showNames, days: String(questionRetentionDays) },
    { ...updateAnalyticsSettings, onSettled: () => setIsAsked(false) },
  );
  const days = Number(values.days);
  const isWrong = !Number.isInteger(days) || days < bounds.min || days > bounds.max;
  const save = () => saving.mutate({ showNames: values.showNames, questionRetentionDays: days });
  return (
    <SettingsForm
      label={words.data}
      hasChanges={hasChanges}
      saving={saving}
      onSave={() => {
        if (isWrong) return;
        if (days < questionRetentionDays) setIsAsked(true);
        else save();
      }}
      onDiscard={discard}
    >
      <Field
        label={words.keptDays}
        inputMode="numeric"
        autoComplete="off"
        value={values.days}
        onChange={({ target }) => {
          change({ days: target.value });
        }}
        error={isWrong ? words.keptDaysWrong(bounds.min, bounds.max) : undefined}
        hint={words.keptDaysHint}
      />
      <ChooseSome
        legend={words.analytics}
        choices={[
          {
            value: 'names',
            label: words.showNames,
            hint: words.showNamesHint,
          },
        ]}
        values={values.showNames ? ['names'] : []}
        onChange={(chosen) => {
          change({ showNames: chosen.includes('names') });
        }}
      />
      <Confirm
        opened={isAsked}
        title={words.keepOnlyTitle(days)}
        action={words.eraseOlder}
        pending={saving.isPending}
        onConfirm={save}
        onCancel={() => setIsAsked(false)}
      >
        {words.eraseOlderText}
      </Confirm>
    </SettingsForm>
  );
}
