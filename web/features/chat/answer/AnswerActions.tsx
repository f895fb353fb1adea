import { askAgain } from '#web/features/chat/conversation/conversation.ts';
import type { Message } from '#web/features/chat/conversation/message.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import control from '#web/ui/control.module.css';
import { useCopy } from '#web/ui/use-copy.ts';
import { hiddenAt, VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './AnswerActions.module.css';
import { copyOf } from './copy-answer.ts';
import { Feedback } from './Feedback.tsx';

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
  const { state, copy } = useCopy();
  return (
    <>
      <button
        type="button"
        className={`${control.quiet} ${styles.action}`}
        onClick={() => void copy(copyOf(message, window.location.origin))}
      >
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
