import { useEffect, useMemo, useRef, useState } from 'react';
import { type CompanyFile, tagsOf } from '#web/api/company-files.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import control from '#web/ui/control.module.css';
import { FileName } from '#web/ui/FileName.tsx';
import styles from './Filters.module.css';
import { countOf, type Filters, noFilters } from './filters.ts';

/** More are not drawn: who looks for one among them types its name. */
const maxShown = 60;
/** As many as a question may name. */
const maxChosen = 1000;

export interface FilterPanelProps {
  files: readonly CompanyFile[];
  filters: Filters;
  onChange: (filters: Filters) => void;
  onClose: () => void;
}

/** Chooses documents, tags and dates; what is chosen holds at once. */
export function FilterPanel({ files, filters, onChange, onClose }: FilterPanelProps) {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  const tags = useMemo(() => tagsOf(files), [files]);
  const { documentIds, from, to } = filters;
  return (
    <section className={styles.panel} aria-label={chatTexts.filters} data-in-use>
      <DocumentPicker
        search={search}
        files={files}
        chosen={documentIds}
        onChange={(next) => onChange({ ...filters, documentIds: next })}
      />
      {tags.length > 0 && (
        <fieldset className={styles.group}>
          <legend>{chatTexts.tags}</legend>
          <div className={styles.tags}>
            {tags.map((tag) => (
              <button
                key={tag}
                type="button"
                className={styles.tag}
                aria-pressed={filters.tags.includes(tag)}
                onClick={() => onChange({ ...filters, tags: toggled(filters.tags, tag) })}
              >
                <bdi>{tag}</bdi>
              </button>
            ))}
          </div>
        </fieldset>
      )}
      <fieldset className={styles.group}>
        <legend>{chatTexts.uploaded}</legend>
        <div className={styles.dates}>
          <label>
            {chatTexts.from}
            <input
              type="date"
              className={control.field}
              value={from}
              max={to || undefined}
              onChange={({ target }) => onChange({ ...filters, from: target.value })}
            />
          </label>
          <label>
            {chatTexts.to}
            <input
              type="date"
              className={control.field}
              value={to}
              min={from || undefined}
              onChange={({ target }) => onChange({ ...filters, to: target.value })}
            />
          </label>
        </div>
      </fieldset>
      <div className={styles.end}>
        <button
          type="button"
          className={styles.clear}
          disabled={countOf(filters) === 0}
          onClick={() => onChange(noFilters)}
        >
          {chatTexts.searchAll}
        </button>
        <button type="button" className={styles.done} onClick={onClose}>
          {chatTexts.done}
        </button>
      </div>
    </section>
  );
}

interface DocumentPickerProps {
  search: React.RefObject<HTMLInputElement | null>;
  files: readonly CompanyFile[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function DocumentPicker({ search, files, chosen, onChange }: DocumentPickerProps) {
  const [words, setWords] = useState('');
  const found = useMemo(() => {
    const wanted = words.trim().toLocaleLowerCase();
    // Only what has a version that answers.
    return files.filter(
      ({ name, currentVersion }) => currentVersion !== undefined && name.toLocaleLowerCase().includes(wanted),
    );
  }, [files, words]);
  const isFull = chosen.length >= maxChosen;
  return (
    <fieldset className={styles.group}>
      <legend>{chatTexts.documents}</legend>
      <input
        ref={search}
        type="search"
        className={`${control.field} ${styles.search}`}
        value={words}
        placeholder={chatTexts.findByName}
        aria-label={chatTexts.findDocuments}
        onChange={({ target }) => setWords(target.value)}
      />
      <ul className={styles.documents}>
        {found.slice(0, maxShown).map(({ id, name }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                aria-label={name}
                checked={chosen.includes(id)}
                disabled={isFull && !chosen.includes(id)}
                onChange={() => onChange(toggled(chosen, id))}
              />
              <FileName name={name} />
            </label>
          </li>
        ))}
        {found.length === 0 && <li className={styles.none}>{chatTexts.noneOfThisName}</li>}
        {found.length > maxShown && <li className={styles.none}>{chatTexts.moreFound(found.length - maxShown)}</li>}
      </ul>
    </fieldset>
  );
}

function toggled(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item];
}
