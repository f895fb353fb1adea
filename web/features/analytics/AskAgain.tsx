import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { CallOutput } from '#contract/calls.ts';
import { askAgain, type UnansweredQuestion } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Analytics.module.css';
import { withoutQuoteMarks } from './quoted.ts';
import { words } from './words.ts';

export interface AskAgainProps {
  question: UnansweredQuestion;
  opened: boolean;
  onClose: () => void;
  onSolved: () => void;
}

/** Asks the question as soon as it opens, and shows how it is answered now. */
export function AskAgain({ question: { questionId, text }, opened, onClose, onSolved }: AskAgainProps) {
  const { mutate, data, error, isPending } = useMutation(askAgain);
  useEffect(() => {
    if (opened) mutate(questionId);
  }, [opened, questionId, mutate]);
  return (
    <Dialog opened={opened} onClose={onClose} title={words.askAgain} wide>
      <p className={styles.askedText}>
        <bdi>{text}</bdi>
      </p>
      <div className={styles.result} aria-live="polite">
        {isPending && words.asking}
        {error && (
          <Notice kind="problem" action={{ label: words.tryAgain, run: () => mutate(questionId) }}>
            {messageOf(error, words.notAsked)}
          </Notice>
        )}
        {data && <Result answer={data} />}
      </div>
      <DialogActions>
        <Button look="plain" onClick={onClose}>
          {words.close}
        </Button>
        {data && !data.answered && (
          <Button
            onClick={() => {
              onClose();
              openUploads();
            }}
          >
            {words.uploadMissing}
          </Button>
        )}
        {data?.answered && <Button onClick={onSolved}>{words.markSolved}</Button>}
      </DialogActions>
    </Dialog>
  );
}

function Result({ answer: { answered, answer, sources } }: { answer: CallOutput<'askAgain'> }) {
  return (
    <>
      <p className={styles.verdict} data-good={answered || undefined}>
        {answered ? words.answeredNow : words.stillNot}
      </p>
      <p className={styles.answer}>
        <bdi>{withoutQuoteMarks(answer)}</bdi>
      </p>
      {sources.length > 0 && (
        <ol className={styles.sources}>
          {sources.map(({ n, name, url }) => (
            <li key={n} value={n}>
              <Link to={url}>
                <FileName name={name} />
              </Link>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
