import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import control from './control.module.css';
import styles from './Field.module.css';

export interface LabelProps {
  label: string;
  /** What is wrong with it, shown below and read with it. */
  error?: string | undefined;
  hint?: string | undefined;
}

export interface FieldProps
  extends LabelProps,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className' | 'children'> {
  /** Where a dialog that opens puts the focus. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input whose hint and error belong to it for every reader. */
export function Field(props: FieldProps) {
  const { label, error, hint, ...input } = props;
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(given) => <input {...input} {...given} />}
    </Labelled>
  );
}

export interface TextAreaProps
  extends LabelProps,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className' | 'children'> {}

/** The same for a text of several lines. */
export function TextArea(props: TextAreaProps) {
  const { label, error, hint, ...area } = props;
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(given) => <textarea rows={4} dir="auto" {...area} {...given} />}
    </Labelled>
  );
}

export interface SelectProps
  extends LabelProps,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className' | 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
}

/** The same for one of several values; `children` are its options. */
export function Select(props: SelectProps) {
  const { label, error, hint, onChange, children, ...select } = props;
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(given) => (
        <select {...select} {...given} onChange={({ target }) => onChange(target.value)}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** A password, hidden until its owner wants to see it. */
export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  const { label, error, hint, ...input } = props;
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(given) => (
        <div className={styles.secret}>
          <input {...input} {...given} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
          <button
            type="button"
            className={styles.show}
            aria-label={`${shown ? 'Hide' : 'Show'} what is typed`}
            aria-controls={given.id}
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

interface Given {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** The label, hint and error of a control of one's own, which takes what it is `given`. */
export function Labelled({ label, error, hint, children }: LabelProps & { children: (given: Given) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
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
