import { useState } from 'react';
import { viewerTexts as texts } from './texts.ts';
import styles from './ViewBar.module.css';

export interface PlaceFieldProps {
  /** What is counted, for those who hear the page: "Page", "Sheet number". */
  label: string;
  /** In view, 1-based. */
  now: number;
  count: number;
  onGo: (place: number) => void;
}

/** Shows the place in view, and goes to the one that is written there. */
export function PlaceField({ label, now, count, onGo }: PlaceFieldProps) {
  const [text, setText] = useState(String(now));
  const go = () => {
    const wanted = Number(text);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= count) onGo(wanted);
    else setText(String(now));
  };
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        className={styles.place}
        inputMode="numeric"
        aria-label={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => setText(String(now))}
      />
      <span>{texts.of(count)}</span>
    </form>
  );
}
