import { useRef } from 'react';
import { messages as texts } from '#contract/messages.ts';
import type { Session } from '#web/api/session.ts';
import { Answer } from './Answer.tsx';
import type { Conversation } from './conversation.ts';
import type { Message } from './message.ts';
import { ClosestPassages, Sources } from './Sources.tsx';
import styles from './Talk.module.css';
import { useFollow } from './use-follow.ts';

export interface TalkProps {
  session: Session;
  conversation: Conversation;
}

/** The conversation: the greeting, then questions and answers. */
export function Talk({ session, conversation: { messages, pending } }: TalkProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useFollow(scroller, content, messages.filter(({ type }) => type === 'user').length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Conversation">
      <div ref={content} className={styles.content}>
        {/* While it grows nothing is read aloud, then the whole answer once. */}
        <div role="log" aria-label="Messages" aria-live="polite" aria-busy={pending !== null}>
          <Greeting session={session} large={messages.length === 0} />
          {messages.map((message) =>
            message.type === 'user' ? (
              <Question key={message.id} text={message.text} />
            ) : (
              <Reply key={message.id} message={message} />
            ),
          )}
          {pending && pending.text !== '' && (
            <div key={pending.id} className={styles.reply} data-reading>
              <Answer text={pending.text} sources={pending.sources} growing />
            </div>
          )}
        </div>
        {pending && pending.text === '' && (
          <p className={styles.thinking} role="status">
            {texts.chat.thinking}
          </p>
        )}
      </div>
    </section>
  );
}

function Greeting({ session: { user, company }, large }: { session: Session; large: boolean }) {
  const name = user.displayName?.trim();
  return (
    <div className={styles.greeting} data-large={large || undefined}>
      <p className={styles.hello}>{name ? `Welcome, ${name}.` : 'Welcome.'} What would you like to know?</p>
      <p>
        Ask in your own words. I answer from the documents of <bdi>{company.name}</bdi>, and every answer carries
        numbered footnotes that open the document at the very passage.
      </p>
    </div>
  );
}

function Question({ text }: { text: string }) {
  return (
    <h2 className={styles.question} data-question>
      <span className={styles.speaker}>You asked: </span>
      {text}
    </h2>
  );
}

function Reply({ message: { text, sources, failed, stopped, closest } }: { message: Message }) {
  if (failed) return <div className={styles.failed}>{text}</div>;
  return (
    <div className={styles.reply} data-reading>
      {text !== '' && <Answer text={text} sources={sources} />}
      {stopped && <p className={styles.stopped}>You stopped this answer.</p>}
      <Sources sources={sources} />
      {closest && <ClosestPassages passages={closest} />}
    </div>
  );
}
