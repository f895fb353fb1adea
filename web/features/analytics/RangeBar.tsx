import { useState } from 'react';
import control from '#web/ui/control.module.css';
import styles from './Analytics.module.css';
import { type Days, isDay, type Looked, presets } from './range.ts';
import { words } from './words.ts';

export interface RangeBarProps {
  looked: Looked;
  today: string;
  /** Told of whole and right dates alone. */
  onChange: (change: { days: string } | Days) => void;
}

/** Which days the page is about. */
export function RangeBar({ looked: { days, preset }, today, onChange }: RangeBarProps) {
  /** Null: as in the address. */
  const [unfinished, setUnfinished] = useState<Days | null>(null);
  const own = preset === null;
  const draft = unfinished ?? days;
  const backwards = isDay(draft.from) && isDay(draft.to) && draft.from > draft.to;
  const write = (next: Days) => {
    const isWhole = isDay(next.from) && isDay(next.to) && next.from <= next.to;
    setUnfinished(isWhole ? null : next);
    if (isWhole) onChange(next);
  };
  return (
    <div className={styles.range}>
      <fieldset className={styles.presets}>
        <legend className={styles.legend}>{words.days}</legend>
        {presets.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={preset === each}
            onClick={() => {
              setUnfinished(null);
              onChange({ days: String(each) });
            }}
          >
            {each} {words.daysOf}
          </button>
        ))}
        <button type="button" aria-pressed={own} onClick={() => write(days)}>
          {words.ownDates}
        </button>
      </fieldset>
      {own && (
        <div className={styles.dates}>
          <label>
            {words.from}
            <input
              type="date"
              className={control.field}
              value={draft.from}
              max={today}
              onChange={({ target }) => write({ ...draft, from: target.value })}
            />
          </label>
          <label>
            {words.to}
            <input
              type="date"
              className={control.field}
              value={draft.to}
              max={today}
              onChange={({ target }) => write({ ...draft, to: target.value })}
            />
          </label>
          {backwards && (
            <p role="alert" className={styles.wrong}>
              {words.backwards}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
