import { useEffect, useState } from 'react';
import { askAgain } from '#web/features/chat/conversation/conversation.ts';
import type { Message } from '#web/features/chat/conversation/message.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { putOnClipboard } from '#web/lib/clipboard.ts';
import control from '#web/ui/control.module.css';
import { hiddenAt, VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './AnswerActions.module.css';
import { copyOf } from './copy-answer.ts';
import { Feedback } from './Feedback.tsx';

/** For so long the button says that it has copied, in milliseconds. */
const copiedFor = 2500;

export interface AnswerActionsProps {
  message: Message;
  /** The last answer, while no other is on its way: it can be asked for again. */
  again: boolean;
}

/** What can be done with an answer: take it along, ask again, say whether it helped. */
export function AnswerActions({ message, again }: AnswerActionsProps) {
  const { queryId, text } = message;
  return (
    <div className={styles.actions}>
      <div className={styles.row}>
        {text !== '' && <CopyButton message={message} />}
        {again && <AskAgain />}
        {queryId !== undefined && <Feedback message={message} queryId={queryId} />}
      </div>
    </div>
  );
}

/** Asks the last question once more. */
export function AskAgain({ label = chatTexts.askAgain }: { label?: string }) {
  return (
    <button type="button" className={`${control.quiet} ${styles.action}`} onClick={() => void askAgain()}>
      {label}
    </button>
  );
}

function CopyButton({ message }: { message: Message }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), copiedFor);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await putOnClipboard(copyOf(message, window.location.origin));
      setState('copied');
    } catch (error) {
      console.warn('The answer could not be copied.', error);
      setState('failed');
    }
  };

  return (
    <>
      <button type="button" className={`${control.quiet} ${styles.action}`} onClick={() => void copy()}>
        {/* The button keeps its width, so that those behind it stay where they are. */}
        <span className={styles.labels} data-state={state}>
          {/* On a phone all four actions stand in one line; who hears the page still hears the whole of it. */}
          <span>
            {chatTexts.copy}
            {message.sources.length > 0 && <span className={hiddenAt('phoneWidth')}> {chatTexts.withSources}</span>}
          </span>
          <span aria-hidden="true">{chatTexts.copied}</span>
        </span>
      </button>
      <VisuallyHidden role="status">{state === 'copied' && chatTexts.copied}</VisuallyHidden>
      {state === 'failed' && (
        <span className={styles.problem} role="alert">
          {chatTexts.notCopied}
        </span>
      )}
    </>
  );
}
