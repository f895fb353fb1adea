import { type ReactNode, useId } from 'react';
import styles from './Choices.module.css';

interface Choice<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
}

interface GroupProps<Value extends string> {
  legend: string;
  hint?: string;
  choices: readonly Choice<Value>[];
}

/** One of a few, each with a line that says what it means. */
export function ChooseOne<Value extends string>({
  legend,
  hint,
  choices,
  value,
  disabled = false,
  onChange,
}: GroupProps<Value> & { value: Value; disabled?: boolean; onChange: (value: Value) => void }) {
  const name = useId();
  return (
    <Group legend={legend} hint={hint}>
      {choices.map((choice) => (
        <Line key={choice.value} {...choice}>
          {(given) => (
            <input
              {...given}
              type="radio"
              name={name}
              checked={choice.value === value}
              disabled={disabled}
              onChange={() => onChange(choice.value)}
            />
          )}
        </Line>
      ))}
    </Group>
  );
}

/** Any of a few. */
export function ChooseSome<Value extends string>({
  legend,
  hint,
  choices,
  values,
  onChange,
}: GroupProps<Value> & { values: readonly Value[]; onChange: (values: Value[]) => void }) {
  return (
    <Group legend={legend} hint={hint}>
      {choices.map((choice) => (
        <Line key={choice.value} {...choice}>
          {(given) => (
            <input
              {...given}
              type="checkbox"
              checked={values.includes(choice.value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...values, choice.value] : values.filter((each) => each !== choice.value))
              }
            />
          )}
        </Line>
      ))}
    </Group>
  );
}

function Group({ legend, hint, children }: { legend: string; hint: string | undefined; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={hint ? id : undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function Line({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string;
  children: (given: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.line}>
      <label htmlFor={id}>
        {children({ id, 'aria-describedby': hint ? `${id}-hint` : undefined })}
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
