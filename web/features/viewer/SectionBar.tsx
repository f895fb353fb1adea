import styles from './Reading.module.css';
import type { Section } from './reading-view.ts';

export interface SectionBarProps {
  kind: string;
  sections: readonly Section[];
  /** The place in the list of the one in view; -1 before the first. */
  current: number;
  onGo: (place: number) => void;
}

/** Leads through the sheets, slides or chapters of a document. */
export function SectionBar({ kind, sections, current, onGo }: SectionBarProps) {
  const word = kind.toLowerCase();
  return (
    <nav className={styles.sections} aria-label={`${kind}s`}>
      <button
        type="button"
        aria-label={`Previous ${word}`}
        aria-disabled={current <= 0 || undefined}
        onClick={() => current > 0 && onGo(current - 1)}
      >
        ‹
      </button>
      <select aria-label={kind} value={Math.max(current, 0)} onChange={(event) => onGo(Number(event.target.value))}>
        {sections.map(({ name, block }, place) => (
          <option key={block} value={place}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-label={`Next ${word}`}
        aria-disabled={current >= sections.length - 1 || undefined}
        onClick={() => current < sections.length - 1 && onGo(current + 1)}
      >
        ›
      </button>
      <span className={styles.count}>
        {Math.max(current, 0) + 1} of {sections.length}
      </span>
    </nav>
  );
}
