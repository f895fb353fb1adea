import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { rateAnswer } from '#web/api/answers.ts';
import { messageOf } from '#web/api/call.ts';
import { noteRating } from '#web/features/chat/conversation/conversation.ts';
import type { Message } from '#web/features/chat/conversation/message.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import control from '#web/ui/control.module.css';
import styles from './AnswerActions.module.css';

type Rating = 'up' | 'down';

/** Says whether an answer helped, and if not, what was wrong. A second press takes it back. */
export function Feedback({ message, queryId }: { message: Message; queryId: string }) {
  const { id } = message;
  const rating = message.rating ?? null;
  const [asked, setAsked] = useState<'no' | 'yes' | 'thanked'>('no');
  const latest = useRef<unknown>(null);
  const sending = useMutation({
    ...rateAnswer,
    // Shown at once, and taken back when the server does not take it; unless another press has come since.
    onMutate: (rated) => {
      latest.current = rated;
      noteRating(id, rated.rating);
      return { before: rating };
    },
    onError: (_, rated, shown) => {
      if (latest.current !== rated) return;
      noteRating(id, shown?.before ?? null);
      setAsked('no');
    },
  });

  const press = (pressed: Rating) => {
    const next = rating === pressed ? null : pressed;
    setAsked(next === 'down' ? 'yes' : 'no');
    sending.mutate({ queryId, rating: next });
  };

  return (
    <>
      <RatingButton label={chatTexts.helpful} pressed={rating === 'up'} onClick={() => press('up')} />
      <RatingButton label={chatTexts.notHelpful} pressed={rating === 'down'} onClick={() => press('down')} />
      {sending.error && (
        <p className={styles.problem} role="alert">
          {messageOf(sending.error, chatTexts.ratingNotSaved)}
        </p>
      )}
      {asked === 'yes' && (
        <ReasonForm
          isSaved={sending.isSuccess && sending.variables.reason !== undefined}
          onSave={(reason) => sending.mutate({ queryId, rating: 'down', reason })}
          onClose={(wasSaid) => setAsked(wasSaid ? 'thanked' : 'no')}
        />
      )}
      <p className={styles.thanks} role="status">
        {asked === 'thanked' && chatTexts.thanks}
      </p>
    </>
  );
}

function RatingButton({ label, pressed, onClick }: { label: string; pressed: boolean; onClick: () => void }) {
  return (
    <button type="button" className={`${control.quiet} ${styles.action}`} aria-pressed={pressed} onClick={onClick}>
      {label}
    </button>
  );
}

const reasons = [chatTexts.reasonWrong, chatTexts.reasonMissing, chatTexts.reasonSource, chatTexts.reasonOutdated];
/** Characters of what is written. */
const maxReasonLength = 400;

interface ReasonFormProps {
  /** What was chosen is kept. */
  isSaved: boolean;
  onSave: (reason: string) => void;
  /** @param wasSaid a reason was given */
  onClose: (wasSaid: boolean) => void;
}

/** A reason is kept as soon as it is chosen; words may follow. */
function ReasonForm({ isSaved, onSave, onClose }: ReasonFormProps) {
  const name = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // On a small screen it would open out of sight.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const reason = [chosen ?? '', words.trim()].filter(Boolean).join(': ');
  return (
    <form
      ref={form}
      className={styles.reasons}
      data-in-use
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose(chosen !== null);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== '') onSave(reason);
        onClose(reason !== '');
      }}
    >
      <fieldset>
        <legend>{chatTexts.whatWasWrong}</legend>
        {reasons.map((each) => (
          <label key={each} className={styles.reason}>
            <input
              type="radio"
              name={name}
              checked={chosen === each}
              onChange={() => {
                setChosen(each);
                onSave(each);
              }}
            />
            {each}
          </label>
        ))}
      </fieldset>
      <div className={styles.words}>
        <input
          type="text"
          className={control.field}
          value={words}
          maxLength={maxReasonLength}
          aria-label={chatTexts.inOwnWords}
          placeholder={isSaved ? chatTexts.somethingToAdd : chatTexts.inOwnWords}
          onChange={({ target }) => setWords(target.value)}
        />
        <button type="submit" className={`${control.filled} ${styles.button}`}>
          {words.trim() === '' ? chatTexts.done : chatTexts.send}
        </button>
      </div>
    </form>
  );
}
