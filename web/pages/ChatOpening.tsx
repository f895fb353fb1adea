import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { Composer } from '#web/features/chat/conversation/Composer.tsx';
import { Greeting, Question, Thinking } from '#web/features/chat/conversation/Greeting.tsx';
import list from '#web/features/chat/conversation/MessageList.module.css';
import { keepCaret, keepQuestion } from '#web/features/chat/conversation/unsent-question.ts';
import filters from '#web/features/chat/filters/Filters.module.css';
import { HeaderLine } from '#web/features/chat/HeaderLine.tsx';
import sidebar from '#web/features/chat/Sidebar.module.css';
import { chatTexts } from '#web/features/chat/texts.ts';
import { CompanyBrand } from '#web/features/session/CompanyBrand.tsx';
import { useTitle } from '#web/lib/title.ts';
import { Divider, useStoredWidth } from '#web/ui/Divider.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { LockIcon, SidebarIcon } from '#web/ui/icons.tsx';
import { Loading } from '#web/ui/Loading.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useBreakpoint } from '#web/ui/use-breakpoint.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './ChatPage.module.css';
import { isSidebarOpen, sidebarBounds } from './chat-layout.ts';

/**
 * A chat that begins, until the app is there that takes its place: it stands where the app draws it, so that nothing
 * moves. A question can be written, and asked, at once.
 */
export function ChatOpening() {
  const now = useSession();
  if (now.state !== 'signed-in' || !isUsual(now.session)) return <Loading />;
  return <Opening session={now.session} />;
}

/** Whoever may not ask, or has something to be told first, waits for the app. */
function isUsual({ user, company, entitlements }: Session): boolean {
  return !user.mustEnrol && company.endsAt === undefined && entitlements.chat && entitlements.notice === null;
}

function Opening({ session }: { session: Session }) {
  const { user, entitlements } = session;
  const page = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<string | null>(null);
  useTitle(chatTexts.chat);
  useLayoutEffect(() => {
    const { current } = page;
    return () => keepCaret(current?.querySelector('textarea'));
  }, []);
  const isSide = !useBreakpoint('oneColumn') && isSidebarOpen();

  const onAsk = (question: string) => {
    setAsked(question);
    import('#web/features/chat/conversation/conversation.ts').then(
      ({ ask }) => ask(user.uid, question),
      () => keepQuestion(user.uid, question),
    );
  };

  return (
    <div ref={page} className={styles.page}>
      <CompanyBrand />
      <HeaderLine
        session={session}
        skipTo="question"
        Anchor={Anchor}
        Account={Account}
        menu={
          <span className={styles.menu}>
            <IconButton label={chatTexts.filesAndQuestions} size={34} aria-expanded={isSide} disabled>
              <SidebarIcon />
            </IconButton>
          </span>
        }
      />
      <div className={styles.parts}>
        {isSide && <Side />}
        <main id="content" className={styles.main}>
          <VisuallyHidden as="h1">{chatTexts.chat}</VisuallyHidden>
          <div className={list.scroller}>
            <div className={list.content}>
              <Greeting session={session} large={asked === null} />
              {asked !== null && <Question text={asked} />}
              {asked !== null && <Thinking name={session.assistant.name} />}
            </div>
          </div>
          <div className={styles.foot}>
            <Composer userId={user.uid} begun={0} waiting={asked !== null} onAsk={onAsk} onStop={stop} />
            <div className={filters.bar}>
              <button type="button" className={filters.toggle} disabled>
                {!entitlements.features.includes('search-filters') && <LockIcon />}
                {chatTexts.filters}
              </button>
              {entitlements.features.includes('search-filters') && (
                <span className={filters.all}>{chatTexts.allSearched}</span>
              )}
            </div>
          </div>
        </main>
      </div>
    </div>
  );
}

function stop(): void {
  import('#web/features/chat/conversation/conversation.ts').then(
    ({ stop }) => stop(),
    () => {},
  );
}

/** As the sidebar is while its files are on their way. */
function Side() {
  const width = useStoredWidth('sidebar', sidebarBounds);
  return (
    <aside className={styles.side} style={{ width: width.now }} aria-label={chatTexts.filesAndQuestions}>
      <div className={sidebar.sidebar}>
        <button type="button" className={sidebar.newChat} disabled>
          {chatTexts.newChat}
        </button>
        <div className={sidebar.sections}>
          <section className={sidebar.section}>
            <h2>{messages.chat.knowledgeBase}</h2>
            <div className={sidebar.coming}>
              <Skeleton label={messages.common.loading} />
            </div>
          </section>
        </div>
      </div>
      <Divider label={chatTexts.sidebarWidth} width={width} grows="right" />
    </aside>
  );
}

/** Followed as any link of the web: the router comes with the app. */
function Anchor({ to, className, children }: { to: string; className?: string | undefined; children: ReactNode }) {
  return (
    <a href={to} className={className}>
      {children}
    </a>
  );
}

function Account({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <button type="button" className={className} disabled>
      {children}
    </button>
  );
}
