import styles from './Field.module.css';
import { Labelled, type LabelProps } from './Field.tsx';
import { useCopy } from './use-copy.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

const words = { idle: 'Copy', copied: 'Copied', failed: 'Not copied' };

/** A value that is to be entered elsewhere, as it is, with the button that takes it along. */
export function CopyField({ label, hint, value }: Pick<LabelProps, 'label' | 'hint'> & { value: string }) {
  const { state, copy } = useCopy();
  return (
    <Labelled label={label} hint={hint}>
      {(given) => (
        <div className={styles.copied}>
          <input {...given} value={value} readOnly spellCheck={false} />
          <button
            type="button"
            className={styles.show}
            aria-controls={given.id}
            onClick={() => void copy({ text: value })}
          >
            {words[state]}
            <VisuallyHidden> {label}</VisuallyHidden>
          </button>
          <VisuallyHidden role="status">{state !== 'idle' && words[state]}</VisuallyHidden>
        </div>
      )}
    </Labelled>
  );
}
