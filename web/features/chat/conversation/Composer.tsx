import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { messages } from '#contract/messages.ts';
import { maxQuestionLength } from '#contract/question.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { isTyping } from '#web/lib/is-typing.ts';
import styles from './Composer.module.css';
import { takeCaret, useUnsentQuestion } from './unsent-question.ts';

/** What is open above the page keeps the keyboard. */
const dialogs = 'dialog[open], [role="dialog"]';

/** After an answer, in milliseconds. */
const refocusAfter = 100;

export interface ComposerProps {
  userId: string;
  /** Another number for each conversation: the question of a new one is where the keyboard goes on. */
  begun: number;
  waiting: boolean;
  onAsk: (question: string) => void;
  onStop: () => void;
}

/** Where questions are written. Enter sends, Shift+Enter breaks the line; `/` comes here from anywhere. */
export function Composer({ userId, begun, waiting, onAsk, onStop }: ComposerProps) {
  const [text, setText] = useUnsentQuestion(userId);
  const field = useRef<HTMLTextAreaElement>(null);
  const wasWaiting = useRef(false);

  const send = () => {
    if (waiting || text.trim() === '') return;
    setText('');
    onAsk(text);
  };

  useLayoutEffect(() => takeCaret(field.current), []);

  useEffect(() => {
    const finished = wasWaiting.current && !waiting;
    wasWaiting.current = waiting;
    if (!finished) return;
    const timer = setTimeout(() => {
      // Who has gone on to read a source meanwhile is left there.
      if (!document.activeElement?.closest(`[data-reading], ${dialogs}`)) field.current?.focus({ preventScroll: true });
    }, refocusAfter);
    return () => clearTimeout(timer);
  }, [waiting]);

  const onSlash = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.querySelector(dialogs)) return;
    if (isTyping(target)) return;
    event.preventDefault();
    field.current?.focus();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onSlash(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each conversation
  useEffect(() => {
    // On a touch screen the keyboard would cover the page.
    if (window.matchMedia('(hover: hover)').matches && !document.querySelector(dialogs)) field.current?.focus();
  }, [begun]);

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.grow} data-text={`${text} `}>
        <textarea
          ref={field}
          id="question"
          rows={1}
          value={text}
          maxLength={maxQuestionLength}
          disabled={waiting}
          placeholder={messages.chat.placeholder}
          aria-label={chatTexts.yourQuestion}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            // While characters are composed Enter chooses one of them.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
      </div>
      {waiting ? (
        <button type="button" className={styles.stop} onClick={onStop}>
          {chatTexts.stop}
        </button>
      ) : (
        <button type="submit" className={styles.send} disabled={text.trim() === ''}>
          {chatTexts.send}
        </button>
      )}
    </form>
  );
}
