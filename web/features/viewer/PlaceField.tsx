import { useLayoutEffect, useRef, useState } from 'react';
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
  /** What is being written, which the place in view does not write over; null while nothing is. */
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // Another number in it would leave the cursor behind that, and what is written next would be added to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each place
  useLayoutEffect(() => {
    if (text === null && document.activeElement === field.current) field.current?.select();
  }, [now, text]);
  const go = () => {
    const wanted = Number(text ?? now);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= count) onGo(wanted);
    setText(null);
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
        ref={field}
        className={styles.place}
        inputMode="numeric"
        aria-label={label}
        value={text ?? now}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => setText(null)}
      />
      <span>{texts.of(count)}</span>
    </form>
  );
}
