import { Button } from '#web/ui/Button.tsx';
import styles from './Settings.module.css';
import { words } from './words.ts';

export interface SaveBarProps {
  /** Given where "Save" does not say what. */
  label?: string;
  hasChanges: boolean;
  isPending: boolean;
  /** It was just saved. */
  isSaved: boolean;
  problem: string | undefined;
  onDiscard: () => void;
}

/** Ends a form of settings: saves, takes back, and says how it stands. The form's `onSubmit` saves. */
export function SaveBar({ label = words.save, hasChanges, isPending, isSaved, problem, onDiscard }: SaveBarProps) {
  return (
    <div
      className={styles.bar}
      data-changed={hasChanges || undefined}
      data-in-sight={hasChanges || isPending || isSaved || undefined}
    >
      <Button type="submit" pending={isPending}>
        {label}
      </Button>
      {hasChanges && !isPending && (
        <Button look="plain" onClick={onDiscard}>
          {words.discard}
        </Button>
      )}
      <span className={styles.said} data-kind={problem ? 'problem' : undefined} role={problem ? 'alert' : 'status'}>
        {problem ?? (hasChanges ? words.unsaved : isSaved && words.saved)}
      </span>
    </div>
  );
}
