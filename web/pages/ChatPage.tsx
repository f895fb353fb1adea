import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Session, useSession } from '#web/api/session.ts';
import { InactiveNotice, OverdueBanner } from '#web/features/billing/SubscriptionNotices.tsx';
import { AppHeader } from '#web/features/chat/AppHeader.tsx';
import { Composer } from '#web/features/chat/conversation/Composer.tsx';
import { ask, setFilters, stop, useConversation } from '#web/features/chat/conversation/conversation.ts';
import { MessageList } from '#web/features/chat/conversation/MessageList.tsx';
import type { Passage, Source } from '#web/features/chat/conversation/message.ts';
import { FilterBar } from '#web/features/chat/filters/FilterBar.tsx';
import { Sidebar } from '#web/features/chat/Sidebar.tsx';
import { DocumentPanel, preloadDocuments } from '#web/features/chat/sources/DocumentPanel.tsx';
import { SourceScope } from '#web/features/chat/sources/SourceCard.tsx';
import { SourceKeys } from '#web/features/chat/sources/SourceSteps.tsx';
import { chatTexts } from '#web/features/chat/texts.ts';
import type { Target } from '#web/features/viewer/target.ts';
import { planNameWith } from '#web/lib/price.ts';
import { useTitle } from '#web/lib/title.ts';
import { Divider, useStoredWidth } from '#web/ui/Divider.tsx';
import { Drawer } from '#web/ui/Drawer.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { SidebarIcon } from '#web/ui/icons.tsx';
import { Loading } from '#web/ui/Loading.tsx';
import { useLeaving } from '#web/ui/motion.ts';
import { useBreakpoint, useWindowWidth } from '#web/ui/use-breakpoint.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './ChatPage.module.css';
import { isSidebarOpen, rememberSidebar, sidebarBounds } from './chat-layout.ts';

/** Ask the documents, read the answer, check it at its source. */
export function ChatPage() {
  const now = useSession();
  return now.state === 'signed-in' ? <Chat key={now.session.user.uid} session={now.session} /> : <Loading />;
}

function Chat({ session }: { session: Session }) {
  const { user, entitlements } = session;
  useTitle(chatTexts.chat);
  const conversation = useConversation(user.uid);
  const { messages, pending } = conversation;
  const documentIds = useMemo(() => documentsOf(pending ? [...messages, pending] : messages), [messages, pending]);
  const hasSources = conversation.messages.some(({ sources }) => sources.length > 0);
  useEffect(() => {
    if (hasSources) preloadDocuments();
  }, [hasSources]);

  const isWide = !useBreakpoint('oneColumn');
  const hasRoom = useBreakpoint('roomForDocument');
  const hasRoomForAll = useBreakpoint('roomForAll');
  const [drawer, setDrawer] = useState(false);
  const [sidebar, setSidebar] = useState(isSidebarOpen);
  const side = useStoredWidth('sidebar', sidebarBounds);
  const { target, open, close } = useDocument();
  // A document has the sidebar's room where there is not enough for all three.
  const isSide = isWide && sidebar && (hasRoomForAll || !target);
  const windowWidth = useWindowWidth();
  const panel = useStoredWidth('document', {
    initial: Math.round(windowWidth * (hasRoomForAll ? 0.4 : 0.45)),
    min: 360,
    max: windowWidth - (isSide ? side.now : 0) - 400,
  });

  const menu = useLeaving(drawer && !isSide ? true : null);
  const whole = useLeaving(hasRoom ? null : target);
  const onAsk = (question: string) => void ask(user.uid, question);
  const sidebarProps = {
    user,
    conversation,
    canAsk: entitlements.chat && !conversation.pending,
    onAsk,
    openId: target?.documentId ?? null,
  };
  const toggle = () => {
    if (!isWide || (sidebar && !isSide)) return setDrawer(true);
    setSidebar(!sidebar);
    rememberSidebar(!sidebar);
  };

  return (
    <SourceScope open={open} opened={target} documentIds={documentIds}>
      <SourceKeys answers={messages} target={target} />
      <div className={styles.page}>
        <AppHeader
          skipTo={entitlements.chat ? 'question' : 'content'}
          menu={<MenuButton pressed={isSide} onClick={toggle} />}
        />
        <div className={styles.parts}>
          {isSide && (
            <aside className={styles.side} style={{ width: side.now }} aria-label={chatTexts.filesAndQuestions}>
              <Sidebar {...sidebarProps} />
              <Divider label={chatTexts.sidebarWidth} width={side} grows="right" />
            </aside>
          )}
          <main id="content" className={styles.main}>
            <VisuallyHidden as="h1">{chatTexts.chat}</VisuallyHidden>
            <MessageList session={session} conversation={conversation} onAsk={onAsk} />
            <div className={styles.foot} data-in-use="first">
              <div className={styles.banner}>
                <OverdueBanner session={session} />
              </div>
              {entitlements.chat ? (
                <>
                  <Composer
                    userId={user.uid}
                    begun={conversation.begun}
                    waiting={conversation.pending !== null}
                    onAsk={onAsk}
                    onStop={stop}
                  />
                  <FilterBar
                    filters={conversation.filters}
                    onChange={setFilters}
                    lockedUntil={
                      entitlements.features.includes('search-filters') ? null : planNameWith('search-filters')
                    }
                  />
                </>
              ) : (
                <InactiveNotice session={session} what={chatTexts.questionsCanBeAsked} />
              )}
            </div>
          </main>
          {target && hasRoom && (
            <aside
              className={`${styles.side} ${styles.document}`}
              style={{ width: panel.now }}
              aria-label={chatTexts.document}
              data-reading
            >
              <Divider label={chatTexts.documentWidth} width={panel} grows="left" />
              <DocumentPanel target={target} answers={messages} onClose={close} />
            </aside>
          )}
        </div>
      </div>
      {menu && (
        <Drawer
          label={chatTexts.filesAndQuestions}
          opened={drawer && !isSide}
          size="start"
          onClose={() => setDrawer(false)}
        >
          <Sidebar {...sidebarProps} onClose={() => setDrawer(false)} />
        </Drawer>
      )}
      {whole && (
        <Drawer label={chatTexts.document} opened={target !== null && !hasRoom} size="whole" onClose={close}>
          <DocumentPanel target={whole} answers={messages} onClose={close} />
        </Drawer>
      )}
    </SourceScope>
  );
}

function documentsOf(answers: readonly { sources: readonly Source[]; closest?: readonly Passage[] }[]): string[] {
  return answers.flatMap(({ sources, closest = [] }) => [...sources, ...closest].map(({ documentId }) => documentId));
}

/** The document beside the conversation. Closed, the focus goes back to the link that opened it. */
function useDocument() {
  const [target, setTarget] = useState<Target | null>(null);
  const opener = useRef<Element | null>(null);
  const open = useCallback((next: Target) => {
    // From one source to the next the way back stays the same.
    if (!document.activeElement?.closest('[data-viewer]')) opener.current = document.activeElement;
    setTarget(next);
  }, []);
  const close = useCallback(() => {
    setTarget(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  const isOpen = target !== null;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      // One Esc closes one thing: first what lies over the page.
      if (key === 'Escape' && !document.querySelector('[role="dialog"]')) close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, close]);
  return { target, open, close };
}

function MenuButton({ pressed, onClick }: { pressed: boolean; onClick: () => void }) {
  return (
    <span className={styles.menu}>
      <IconButton label={chatTexts.filesAndQuestions} size={34} aria-expanded={pressed} onClick={onClick}>
        <SidebarIcon />
      </IconButton>
    </span>
  );
}
