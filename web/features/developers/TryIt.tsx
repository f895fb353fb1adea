import { type FormEvent, useId, useState } from 'react';
import type { CallInput, CallName } from '#contract/calls.ts';
import { authorised } from '#web/api/authorised.ts';
import { messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { send } from '#web/api/wire.ts';
import control from '#web/ui/control.module.css';
import { TextArea } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Code } from './Code.tsx';
import styles from './Developers.module.css';
import type { Told } from './document.ts';
import { words } from './words.ts';

/** Makes the call by the key on the page, or as whoever is signed in, and shows what it answers. */
export function TryIt({ call, apiKey }: { call: Told; apiKey: string }) {
  const heading = useId();
  const session = useSession();
  const [text, setText] = useState(() => JSON.stringify(call.example?.input ?? null, null, 2));
  const [isWrong, setIsWrong] = useState(false);
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const may = apiKey !== '' || session.state === 'signed-in';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const data = parsed(text);
    setIsWrong(data === undefined);
    if (data === undefined || pending) return;
    setPending(true);
    setProblem('');
    try {
      // What a person types is nothing that the compiler can know; the server says what is wrong with it.
      const [name, input] = [call.name as CallName, data.value as CallInput<CallName>];
      const result = await (apiKey === ''
        ? authorised((bearer) => send(name, input, { bearer }))
        : send(name, input, { bearer: apiKey }));
      setAnswer(JSON.stringify(result, null, 2));
    } catch (error) {
      setAnswer(null);
      setProblem(messageOf(error, String(error)));
    } finally {
      setPending(false);
    }
  };
  return (
    <section aria-labelledby={heading}>
      <h4 id={heading}>{words.tryIt}</h4>
      <p className={styles.aside}>{may ? words.tryLead : words.tryNeeds}</p>
      {may && (
        <form className={styles.try} noValidate onSubmit={submit}>
          <TextArea
            label={words.data}
            value={text}
            rows={Math.min(12, text.split('\n').length + 1)}
            spellCheck={false}
            error={isWrong ? words.notJson : undefined}
            onChange={({ target }) => setText(target.value)}
          />
          <button type="submit" className={`${control.filled} ${styles.send}`} aria-disabled={pending || undefined}>
            {pending ? words.sending : words.send}
          </button>
        </form>
      )}
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
      {answer !== null && <Code label={`${words.answer}: ${call.name}`} text={answer} />}
    </section>
  );
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
