import type { AnswerLanguage } from '#contract/agent.ts';
import { besideAnswer } from '#web/features/chat/texts.ts';
import control from '#web/ui/control.module.css';
import styles from './FollowingUp.module.css';

export interface FollowingUpProps {
  /** The question before, together with which this one was understood. */
  question: string;
  language: AnswerLanguage | undefined;
  /** Asks once more without it; absent where that cannot be done now. */
  onDrop?: (() => void) | undefined;
}

/** Says what was taken over from the question before, and leaves it out on demand. */
export function FollowingUp({ question, language, onDrop }: FollowingUpProps) {
  const texts = besideAnswer(language);
  return (
    <p className={styles.line}>
      {texts.followingUp} <q title={question}>{question}</q>
      {onDrop && (
        <button type="button" className={`${control.quiet} ${styles.drop}`} onClick={onDrop}>
          {texts.askAlone}
        </button>
      )}
    </p>
  );
}
