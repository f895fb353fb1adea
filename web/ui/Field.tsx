import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react';
import control from './control.module.css';
import styles from './Field.module.css';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className' | 'children'> {
  label: string;
  /** What is wrong with it, shown below and read with it. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Where a dialog that opens puts the focus. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input whose hint and error belong to it for every reader. */
export function Field(props: FieldProps) {
  return <Labelled {...props}>{(input) => <input {...input} />}</Labelled>;
}

/** A password, hidden until its owner wants to see it. */
export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Labelled {...props}>
      {(input) => (
        <div className={styles.secret}>
          <input {...input} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
          <button
            type="button"
            className={styles.show}
            aria-label={`${shown ? 'Hide' : 'Show'} what is typed`}
            aria-controls={input.id}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Labelled>
  );
}

/** Characters of what a person is called. */
export const maxNameLength = 100;

/** What the policy asks of a new password, in one line. */
export const newPasswordHint = 'At least 12 characters. A few words you can remember are best.';

function Labelled({
  label,
  error,
  hint,
  children,
  ...input
}: FieldProps & { children: (input: InputHTMLAttributes<HTMLInputElement>) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        ...input,
        id,
        className: control.field,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
