import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { type CompanyFile, useCompanyFiles } from '#web/api/company-files.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { FileName } from '#web/ui/FileName.tsx';
import { CloseIcon, LockIcon } from '#web/ui/icons.tsx';
import { useMoves } from '#web/ui/motion.ts';
import { usePressOutside } from '#web/ui/use-press-outside.ts';
import { FilterPanel } from './FilterPanel.tsx';
import styles from './Filters.module.css';
import { countOf, type Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** The plan that has filters, where the company's own has not. */
  lockedUntil: string | null;
}

/**
 * Below the question: where answers are looked for, each part to be taken away, and the way to choose, above the
 * question, which stays in sight.
 */
export function FilterBar({ filters, onChange, lockedUntil }: FilterBarProps) {
  const { files } = useCompanyFiles();
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  usePressOutside(
    isOpen,
    (target) => Boolean(box.current?.contains(target)),
    () => setIsOpen(false),
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the panel from anywhere in it
    <div
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        // One Esc closes one thing.
        event.stopPropagation();
        close();
      }}
    >
      {isOpen &&
        (lockedUntil === null ? (
          <FilterPanel files={files} filters={filters} onChange={onChange} onClose={close} />
        ) : (
          <section className={styles.panel} aria-label={chatTexts.filters} data-in-use>
            <p className={styles.locked}>
              <LockIcon /> {chatTexts.lockedBefore} {lockedUntil} {chatTexts.lockedAfter}{' '}
              <Link to="/pricing">{chatTexts.seePlans}</Link>
            </p>
          </section>
        ))}
      <div className={styles.bar}>
        <button
          ref={button}
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {lockedUntil !== null && <LockIcon />}
          {chatTexts.filters}
        </button>
        {lockedUntil === null && <Chosen filters={filters} files={files} onChange={onChange} />}
      </div>
    </div>
  );
}

interface ChosenProps {
  filters: Filters;
  files: readonly CompanyFile[];
  onChange: (filters: Filters) => void;
}

function Chosen({ filters, files, onChange }: ChosenProps) {
  const { documentIds, tags, from, to } = filters;
  const list = useRef<HTMLUListElement>(null);
  useMoves(list, filters);
  if (countOf(filters) === 0) return <span className={styles.all}>{chatTexts.allSearched}</span>;
  const nameOf = (id: string) => files.find((file) => file.id === id)?.name ?? chatTexts.deletedDocument;
  return (
    <ul ref={list} className={styles.chosen} aria-label={chatTexts.onlySearched}>
      {documentIds.map((id) => (
        <Chip
          key={id}
          label={nameOf(id)}
          onRemove={() => onChange({ ...filters, documentIds: documentIds.filter((each) => each !== id) })}
        >
          <FileName name={nameOf(id)} />
        </Chip>
      ))}
      {tags.map((tag) => (
        <Chip
          key={tag}
          label={tag}
          onRemove={() => onChange({ ...filters, tags: tags.filter((each) => each !== tag) })}
        >
          <bdi>{tag}</bdi>
        </Chip>
      ))}
      {(from !== '' || to !== '') && (
        <Chip label={chatTexts.theDates} onRemove={() => onChange({ ...filters, from: '', to: '' })}>
          {datesOf(from, to)}
        </Chip>
      )}
    </ul>
  );
}

interface ChipProps {
  label: string;
  onRemove: () => void;
  children: React.ReactNode;
}

function Chip({ label, onRemove, children }: ChipProps) {
  return (
    <li className={styles.chip}>
      {children}
      <button type="button" aria-label={chatTexts.noFilterBy(label)} onClick={onRemove}>
        <CloseIcon size={12} />
      </button>
    </li>
  );
}

function datesOf(from: string, to: string): string {
  const shown = (day: string) => new Date(`${day}T12:00`).toLocaleDateString(undefined, { dateStyle: 'medium' });
  if (from === '') return chatTexts.until(shown(to));
  return to === '' ? chatTexts.since(shown(from)) : `${shown(from)} – ${shown(to)}`;
}
