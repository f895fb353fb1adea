import { IconButton } from '#web/ui/IconButton.tsx';
import { NextIcon, PreviousIcon } from '#web/ui/icons.tsx';
import { FindField } from './FindField.tsx';
import { PlaceField } from './PlaceField.tsx';
import type { Section } from './reading-view.ts';
import { viewerTexts as texts } from './texts.ts';
import type { Find } from './use-find.ts';
import styles from './ViewBar.module.css';

export interface TextBarProps extends SectionsProps {
  find: Find;
}

/** Leads through the text of a document: to its sheets, slides or chapters, and to words. */
export function TextBar({ find, ...sections }: TextBarProps) {
  return (
    <div className={styles.bar} data-in-use role="toolbar" aria-label={texts.inText}>
      {sections.sections.length > 1 && <Sections {...sections} />}
      <FindField {...find} />
    </div>
  );
}

interface SectionsProps {
  /** "Sheet", "Slide", "Chapter". */
  kind: string;
  sections: readonly Section[];
  /** The place in the list of the one in view; -1 before the first. */
  current: number;
  onGo: (place: number) => void;
}

function Sections({ kind, sections, current, onGo }: SectionsProps) {
  const now = Math.max(current, 0);
  return (
    <nav className={styles.sections} aria-label={texts.sections(kind)}>
      <IconButton label={texts.previousSection(kind)} off={current <= 0} onClick={() => onGo(current - 1)}>
        <PreviousIcon />
      </IconButton>
      <select aria-label={kind} value={now} onChange={(event) => onGo(Number(event.target.value))}>
        {sections.map(({ name, block }, place) => (
          <option key={block} value={place}>
            {name}
          </option>
        ))}
      </select>
      <IconButton
        label={texts.nextSection(kind)}
        off={current >= sections.length - 1}
        onClick={() => onGo(current + 1)}
      >
        <NextIcon />
      </IconButton>
      <PlaceField
        key={now}
        label={texts.numberOf(kind)}
        now={now + 1}
        count={sections.length}
        onGo={(place) => onGo(place - 1)}
      />
    </nav>
  );
}
