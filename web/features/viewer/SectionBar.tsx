import { IconButton } from '#web/ui/IconButton.tsx';
import { NextIcon, PreviousIcon } from '#web/ui/icons.tsx';
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
      <IconButton label={`Previous ${word}`} off={current <= 0} onClick={() => onGo(current - 1)}>
        <PreviousIcon />
      </IconButton>
      <select aria-label={kind} value={Math.max(current, 0)} onChange={(event) => onGo(Number(event.target.value))}>
        {sections.map(({ name, block }, place) => (
          <option key={block} value={place}>
            {name}
          </option>
        ))}
      </select>
      <IconButton label={`Next ${word}`} off={current >= sections.length - 1} onClick={() => onGo(current + 1)}>
        <NextIcon />
      </IconButton>
      <span className={styles.count}>
        {Math.max(current, 0) + 1} of {sections.length}
      </span>
    </nav>
  );
}
