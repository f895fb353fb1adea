import type { FormEvent, ReactNode } from 'react';
import { messageOf } from '#web/api/call.ts';
import { SaveBar } from './SaveBar.tsx';
import styles from './Settings.module.css';
import { useUnsaved } from './use-unsaved.tsx';
import { words } from './words.ts';

export interface SettingsFormProps {
  label: string;
  hasChanges: boolean;
  /** Of the mutation that saves it. */
  saving: { isPending: boolean; isSuccess: boolean; error: Error | null };
  onSave: () => void;
  onDiscard: () => void;
  children: ReactNode;
}

/** A section of the settings that is saved by itself; leaving it with changes asks. */
export function SettingsForm({ label, hasChanges, saving, onSave, onDiscard, children }: SettingsFormProps) {
  const question = useUnsaved(hasChanges);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) onSave();
  };
  return (
    <form className={styles.form} aria-label={label} noValidate onSubmit={submit}>
      {children}
      <SaveBar
        hasChanges={hasChanges}
        isPending={saving.isPending}
        isSaved={saving.isSuccess}
        problem={saving.error ? messageOf(saving.error, words.notSaved) : undefined}
        onDiscard={onDiscard}
      />
      {question}
    </form>
  );
}
