import { useEffect, useRef } from 'react';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NextIcon, PreviousIcon } from '#web/ui/icons.tsx';
import { viewerTexts as texts } from './texts.ts';
import type { Find } from './use-find.ts';
import styles from './ViewBar.module.css';

/** As many characters as anybody looks for. */
const maxWords = 200;

/**
 * Enter goes to the next place, Shift+Enter to the one before, Esc ends. Ctrl+F comes here from anywhere in the view,
 * and on a page of the document's own from wherever nothing else has the focus: what is not drawn the browser's own
 * search cannot find.
 */
export function FindField({ words, setWords, found, step }: Find) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'f' || event.shiftKey || event.altKey) return;
      const { activeElement } = document;
      const isAlone = activeElement === document.body && document.querySelector('[role="log"]') === null;
      if (!isAlone && !activeElement?.closest('[data-viewer]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const none = found.hits.length === 0;
  return (
    <search className={styles.find}>
      <input
        ref={field}
        type="search"
        placeholder={texts.find}
        aria-label={texts.find}
        value={words}
        maxLength={maxWords}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape' || words === '') return;
          // One Esc ends one thing: the document stays open.
          event.nativeEvent.stopImmediatePropagation();
          event.stopPropagation();
          setWords('');
        }}
      />
      {words.trim() !== '' && (
        <>
          <span className={styles.count} role="status">
            {texts.found(found)}
          </span>
          <IconButton label={texts.previousMatch} off={none} onClick={() => step(-1)}>
            <PreviousIcon />
          </IconButton>
          <IconButton label={texts.nextMatch} off={none} onClick={() => step(1)}>
            <NextIcon />
          </IconButton>
        </>
      )}
    </search>
  );
}
