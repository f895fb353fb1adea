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
import { Loading } from '#web/ui/Loading.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';

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
  if (!settings.isFetched || !exports.isFetched) return <Loading />;
  return (
    <>
      <Section heading="Retention">
        <Retention />
      </Section>
      <Section heading="Export">
        <p className={styles.lead}>
          A zip file with all of your company’s data: documents as they were uploaded, questions and answers with their
          citations, people, the audit log and settings. It can be made on every plan, at any time.
        </p>
        <ExportPanel of="company" />
      </Section>
      <Section heading="Delete the company">
        <DeleteCompany name={companyName} />
      </Section>
    </>
  );
}

/** How long questions are kept, and whether analytics name those who asked. */
function Retention() {
  const { data, error, refetch } = useQuery(analyticsSettingsQuery);
  if (data) return <KeptForm kept={data} />;
  if (!error) return <Loading />;
  return (
    <Notice kind="problem" action={{ label: 'Try again', run: () => void refetch() }}>
      {messageOf(error, 'The settings could not be loaded.')}
    </Notice>
  );
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
      label="Data"
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
        label="Questions and answers are kept for so many days"
        inputMode="numeric"
        autoComplete="off"
        value={values.days}
        onChange={({ target }) => {
          change({ days: target.value });
        }}
        error={isWrong ? `Please enter a number from ${bounds.min} to ${bounds.max.toLocaleString()}.` : undefined}
        hint="What is older is erased every night, also from the analytics. Documents are kept until you delete them."
      />
      <ChooseSome
        legend="Analytics"
        choices={[
          {
            value: 'names',
            label: 'Show who asked',
            hint: 'Switched off, analytics and their tables name nobody.',
          },
        ]}
        values={values.showNames ? ['names'] : []}
        onChange={(chosen) => {
          change({ showNames: chosen.includes('names') });
        }}
      />
      <Confirm
        opened={isAsked}
        title={`Keep questions for ${days.toLocaleString()} days only?`}
        action="Erase older ones"
        pending={saving.isPending}
        onConfirm={save}
        onCancel={() => setIsAsked(false)}
      >
        Questions and answers that are older are erased with the next night. This cannot be undone.
      </Confirm>
    </SettingsForm>
  );
}
