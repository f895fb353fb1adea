import { type ReactNode, useId } from 'react';
import control from './control.module.css';
import styles from './Section.module.css';

/** A part of a page: its heading, a tool beside it, its content. */
export function Section({ heading, tool, children }: { heading: string; tool?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{heading}</h2>
        {tool}
      </div>
      {children}
    </section>
  );
}

/** A box that filters the list below it as one types. */
export function Filter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <input
      type="search"
      className={`${control.field} ${styles.filter}`}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
