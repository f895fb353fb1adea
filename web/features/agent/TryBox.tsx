import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AgentSettings, agentBounds } from '#contract/agent.ts';
import { messageOf } from '#web/api/call.ts';
import { type TriedAnswer, tryChatAgent } from '#web/api/chat-agent.ts';
import { Answer } from '#web/features/chat/answer/Answer.tsx';
import { Contact } from '#web/features/chat/answer/Contact.tsx';
import { SourceScope } from '#web/features/chat/sources/SourceCard.tsx';
import { Sources } from '#web/features/chat/sources/Sources.tsx';
import { addressOf, type Target } from '#web/features/viewer/target.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './Agent.module.css';
import { words } from './words.ts';

/** Asks a question by the settings as they stand in the form, beside those that are saved. It is counted nowhere. */
export function TryBox({ settings, hasChanges }: { settings: AgentSettings; hasChanges: boolean }) {
  const [question, setQuestion] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const trial = useMutation(tryChatAgent);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsEmpty(question.trim() === '');
    if (question.trim() === '' || trial.isPending) return;
    trial.mutate({ question, settings: hasChanges ? settings : null });
  };

  return (
    <section className={styles.try} aria-labelledby="try-heading">
      <h2 id="try-heading">{words.tryIt}</h2>
      <p className={styles.note}>{words.tryItHint}</p>
      <form className={styles.ask} noValidate onSubmit={submit}>
        <Field
          label={words.question}
          dir="auto"
          maxLength={agentBounds.trial}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
          error={isEmpty && question.trim() === '' ? words.questionRequired : undefined}
        />
        <Button type="submit" look="plain" pending={trial.isPending}>
          {trial.isPending ? words.asking : words.ask}
        </Button>
      </form>
      <div aria-live="polite" aria-busy={trial.isPending}>
        {trial.error && <p className={styles.problem}>{messageOf(trial.error, words.notAsked)}</p>}
        {trial.data && !trial.isPending && <Compared before={trial.data.before} after={trial.data.after} />}
      </div>
    </section>
  );
}

function Compared({ before, after }: { before: TriedAnswer; after: TriedAnswer | null }) {
  const documentIds = [before, after].flatMap((answer) => answer?.sources.map(({ documentId }) => documentId) ?? []);
  return (
    <SourceScope open={openBeside} documentIds={documentIds}>
      {after && <Tried heading={words.withChanges} answer={after} />}
      <Tried heading={after ? words.asIsNow : words.asSaved} answer={before} />
    </SourceScope>
  );
}

function Tried({ heading, answer }: { heading: string; answer: TriedAnswer }) {
  return (
    <article className={styles.tried}>
      <h3>{heading}</h3>
      {answer.notice !== undefined && <p className={styles.note}>{answer.notice}</p>}
      <Answer
        text={answer.answer}
        sources={answer.sources}
        unsupported={answer.unsupported}
        unchecked={answer.unchecked}
      />
      {answer.contact !== undefined && <Contact contact={answer.contact} />}
      <Sources sources={answer.sources} />
    </article>
  );
}

/** In a tab of its own: the form must not be left. */
function openBeside({ documentId, version, page }: Target): void {
  window.open(addressOf({ documentId, version, ...(page !== undefined && { page }) }), '_blank', 'noopener');
}
