import { useCopy } from '#web/ui/use-copy.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './Developers.module.css';
import { words } from './words.ts';

const said = { idle: words.copy, copied: words.copied, failed: words.failed };

/** A program or a value, as it is, with the button that takes it along. */
export function Code({ label, text }: { label: string; text: string }) {
  const { state, copy } = useCopy();
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get into it */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <button type="button" className={styles.copy} onClick={() => void copy({ text })}>
        {said[state]}
        <VisuallyHidden> {label}</VisuallyHidden>
      </button>
      <VisuallyHidden role="status">{state !== 'idle' && said[state]}</VisuallyHidden>
    </div>
  );
}

/** Chooses the one in which examples are shown. */
export function Tabs<Value extends string>({
  label,
  values,
  value,
  onChange,
}: {
  label: string;
  values: readonly Value[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className={styles.tabs}>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {values.map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {each}
        </button>
      ))}
    </fieldset>
  );
}
