import { usualAgentName } from '#contract/agent.ts';
import { messages as texts } from '#contract/messages.ts';
import type { Session } from '#web/api/session.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './MessageList.module.css';

/** What is said while an answer is on its way, of an assistant with a name of its own. */
export function Thinking({ name }: { name: string }) {
  return (
    <p className={styles.thinking} role="status">
      {texts.chat.thinking.replace(usualAgentName, () => name || usualAgentName)}
    </p>
  );
}

/** What a conversation begins with; `large` as long as no question stands. */
export function Greeting({ session: { user, company, assistant }, large }: { session: Session; large: boolean }) {
  const name = user.displayName?.trim();
  return (
    <div className={styles.greeting} data-large={large || undefined}>
      {assistant.name !== '' && (
        <p className={styles.assistant}>
          <bdi>{assistant.name}</bdi>
        </p>
      )}
      <p className={styles.hello}>
        {name ? (
          <>
            {chatTexts.welcome} <bdi>{name}</bdi>.
          </>
        ) : (
          chatTexts.welcomeAlone
        )}{' '}
        {assistant.greeting === '' && chatTexts.whatToKnow}
      </p>
      {/* Once a question stands a line is enough. */}
      {large && assistant.greeting === '' && (
        <p>
          {chatTexts.askBefore} <bdi>{company.name}</bdi>
          {chatTexts.askAfter}
        </p>
      )}
      {assistant.greeting !== '' && (
        <p className={styles.own} dir="auto">
          {assistant.greeting}
        </p>
      )}
    </div>
  );
}

export function Question({ text }: { text: string }) {
  return (
    <h2 className={styles.question} data-question>
      <VisuallyHidden>{chatTexts.youAsked} </VisuallyHidden>
      {text}
    </h2>
  );
}
