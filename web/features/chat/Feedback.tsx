import { useEffect, useId, useRef, useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import styles from './AnswerActions.module.css';
import { noteRating } from './conversation.ts';
import type { Message } from './message.ts';

type Rating = 'up' | 'down';

/** Says whether an answer helped, and if not, what was wrong. A second press takes it back. */
export function Feedback({ message, queryId }: { message: Message; queryId: string }) {
  const { id } = message;
  const rating = message.rating ?? null;
  const [asked, setAsked] = useState<'no' | 'yes' | 'thanked'>('no');
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(0);

  /** Shown at once, and taken back when the server does not take it. */
  const rate = async (next: Rating | null, reason?: string): Promise<boolean> => {
    const mine = ++latest.current;
    setProblem(null);
    noteRating(id, next);
    try {
      await call('rateAnswer', { queryId, rating: next, ...(reason ? { reason } : {}) });
      return true;
    } catch (error) {
      if (mine === latest.current) {
        noteRating(id, rating);
        setAsked('no');
        setProblem(messageOf(error, 'Your rating could not be saved.'));
      }
      return false;
    }
  };

  const press = (pressed: Rating) => {
    const next = rating === pressed ? null : pressed;
    setAsked(next === 'down' ? 'yes' : 'no');
    void rate(next);
  };

  return (
    <>
      <RatingButton label="Helpful" pressed={rating === 'up'} onClick={() => press('up')} />
      <RatingButton label="Not helpful" pressed={rating === 'down'} onClick={() => press('down')} />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {asked === 'yes' && (
        <ReasonForm
          onSend={async (reason) => {
            if (await rate('down', reason)) setAsked('thanked');
          }}
          onClose={() => setAsked('no')}
        />
      )}
      <p className={styles.thanks} role="status">
        {asked === 'thanked' && 'Thank you. Your admins see it beside the question.'}
      </p>
    </>
  );
}

function RatingButton({ label, pressed, onClick }: { label: string; pressed: boolean; onClick: () => void }) {
  return (
    <button type="button" className={styles.action} aria-pressed={pressed} onClick={onClick}>
      {label}
    </button>
  );
}

const reasons = [
  'The answer is wrong',
  'Something is missing',
  'The source does not say so',
  'The document is out of date',
];
/** Characters of what is written. */
const longestReason = 400;

function ReasonForm({ onSend, onClose }: { onSend: (reason: string) => Promise<void>; onClose: () => void }) {
  const name = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
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
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === '') return onClose();
        setBusy(true);
        void onSend(reason).finally(() => setBusy(false));
      }}
    >
      <fieldset>
        <legend>What was wrong?</legend>
        {reasons.map((each) => (
          <label key={each} className={styles.reason}>
            <input type="radio" name={name} checked={chosen === each} onChange={() => setChosen(each)} />
            {each}
          </label>
        ))}
      </fieldset>
      <div className={styles.words}>
        <input
          type="text"
          value={words}
          maxLength={longestReason}
          aria-label="In your own words"
          placeholder="In your own words"
          onChange={({ target }) => setWords(target.value)}
        />
        <button type="submit" className={styles.button} disabled={busy}>
          Send
        </button>
        <button type="button" className={styles.action} onClick={onClose}>
          Skip
        </button>
      </div>
    </form>
  );
}
