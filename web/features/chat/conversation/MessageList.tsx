import { useRef } from 'react';
import { withoutSources } from '#contract/citations.ts';
import type { Session } from '#web/api/session.ts';
import { Answer } from '#web/features/chat/answer/Answer.tsx';
import { AnswerActions, AskAgain } from '#web/features/chat/answer/AnswerActions.tsx';
import { Contact } from '#web/features/chat/answer/Contact.tsx';
import { FollowingUp } from '#web/features/chat/answer/FollowingUp.tsx';
import { ClosestPassages, Sources } from '#web/features/chat/sources/Sources.tsx';
import { useSources } from '#web/features/chat/sources/use-sources.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { askAgain, type Conversation } from './conversation.ts';
import { Greeting, Question, Thinking } from './Greeting.tsx';
import styles from './MessageList.module.css';
import type { Message } from './message.ts';
import { Suggestions } from './Suggestions.tsx';
import { useFollow } from './use-follow.ts';

export interface MessageListProps {
  session: Session;
  conversation: Conversation;
  /** Asks a question that was suggested. */
  onAsk: (question: string) => void;
}

/** The conversation: the greeting, then questions and answers. */
export function MessageList({ session, conversation: { messages, pending }, onAsk }: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useFollow(scroller, content, messages.filter(({ type }) => type === 'user').length);
  const { chat: canAsk } = session.entitlements;
  // The page was loaded again, or the conversation left, before there was one.
  const isUnanswered = pending === null && messages.at(-1)?.type === 'user';
  const isBegun = pending !== null && `${pending.text}${pending.draft}`.trim() !== '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={chatTexts.conversation}>
      <div ref={content} className={styles.content}>
        {/* While it grows nothing is read aloud, then the whole answer once. */}
        <div role="log" aria-label={chatTexts.messages} aria-live="polite" aria-busy={pending !== null}>
          <Greeting session={session} large={messages.length === 0} />
          {messages.map((message, place) =>
            message.type === 'user' ? (
              <Question key={message.id} text={message.text} />
            ) : (
              <Reply
                key={message.id}
                message={message}
                again={canAsk && pending === null && place === messages.length - 1}
              />
            ),
          )}
          {isUnanswered && (
            <div className={styles.failed}>
              <p className={styles.unanswered}>{chatTexts.noAnswerYet}</p>
              {canAsk && <AskAgain label={chatTexts.tryAgain} />}
            </div>
          )}
        </div>
        {pending?.followingUp !== undefined && (
          <FollowingUp question={pending.followingUp} language={pending.language} />
        )}
        {/* Not in the log: that is read aloud, and hears of an answer once it is whole. */}
        {pending && isBegun && (
          <div key={pending.id} className={styles.reply} data-growing>
            {pending.notice !== undefined && <p className={styles.notice}>{pending.notice}</p>}
            <Answer
              text={pending.text}
              sources={pending.sources}
              unsupported={pending.unsupported}
              unchecked={pending.unchecked}
              draft={pending.draft}
              isWritten={pending.isWritten}
              state="growing"
            />
          </div>
        )}
        {messages.length === 0 && canAsk && (
          <Suggestions isAdmin={session.user.role === 'admin'} agentVersion={session.assistant.version} onAsk={onAsk} />
        )}
        {pending && !isBegun && <Thinking name={session.assistant.name} />}
      </div>
    </section>
  );
}

function Reply({ message: given, again }: { message: Message; again: boolean }) {
  const { isGone } = useSources();
  const message = withoutGone(given, isGone);
  const { text, sources, failed, stopped, lost, answered, filtered, unsupported, unchecked, notice } = message;
  const { followingUp, language, closest = [] } = message;
  if (failed) {
    return (
      <div className={styles.failed}>
        <p className={styles.error}>{text}</p>
        {again && <AskAgain label={chatTexts.tryAgain} />}
      </div>
    );
  }
  return (
    <div className={styles.reply} data-reading data-unanswered={answered === false || undefined}>
      {followingUp !== undefined && (
        <FollowingUp
          question={followingUp}
          language={language}
          onDrop={again ? () => void askAgain({ alone: true }) : undefined}
        />
      )}
      {notice !== undefined && <p className={styles.notice}>{notice}</p>}
      {text !== '' && (
        <Answer
          text={text}
          sources={sources}
          unsupported={unsupported}
          unchecked={unchecked}
          state={stopped || lost ? 'cut' : 'whole'}
        />
      )}
      {/* Behind the sentence, in its line. */}
      {closest.length > 0 && ' '}
      {closest.length > 0 && <ClosestPassages passages={closest} language={language} />}
      {stopped && <p className={styles.stopped}>{chatTexts.stopped}</p>}
      {unsupported && unsupported.length > 0 && <Unsupported claims={unsupported} />}
      {unchecked && unchecked.length > 0 && <Unchecked count={unchecked.length} />}
      {answered === false && filtered && <p className={styles.stopped}>{chatTexts.onlyChosen}</p>}
      {message.contact !== undefined && <Contact contact={message.contact} />}
      <Sources sources={sources} />
      <AnswerActions message={message} again={again} />
    </div>
  );
}

/** The answer without the words of documents that have been deleted since. */
function withoutGone(message: Message, isGone: (documentId: string) => boolean): Message {
  const gone = message.sources.filter(({ documentId }) => isGone(documentId)).map(({ n }) => n);
  if (gone.length === 0) return message;
  const { unsupported: _, unchecked: __, ...rest } = message;
  // An answer made of quotes has each of them on a line of its own.
  const isWritten = !/^> /m.test(message.text);
  return {
    ...rest,
    text: withoutSources(message.text, new Set(gone), isWritten),
    sources: message.sources.map((source) => {
      if (!gone.includes(source.n)) return source;
      const { emphasis: _emphasis, row: _row, ...facts } = source;
      return { ...facts, url: '', quote: chatTexts.sourceDeleted };
    }),
  };
}

function Unsupported({ claims }: { claims: NonNullable<Message['unsupported']> }) {
  const contradicted = claims.filter(({ reason }) => reason === 'contradicted').length;
  const missing = claims.length - contradicted;
  return (
    <p className={styles.stopped}>
      {missing > 0 && chatTexts.noSourceMany(missing)}
      {contradicted > 0 && chatTexts.contradictedMany(contradicted)}
    </p>
  );
}

/** Not what is wrong with the answer, but how far it was checked. */
function Unchecked({ count }: { count: number }) {
  return (
    <p className={styles.stopped}>
      {count === 1 ? chatTexts.uncheckedOne : chatTexts.uncheckedMany(count)} {chatTexts.notCompared}
    </p>
  );
}
