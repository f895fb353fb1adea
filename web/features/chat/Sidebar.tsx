import { messages } from '#contract/messages.ts';
import type { Session } from '#web/api/session.ts';
import { type Conversation, newChat } from '#web/features/chat/conversation/conversation.ts';
import { useRecentQueries } from '#web/features/chat/conversation/recent-queries.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { Who } from './AppHeader.tsx';
import { KnowledgeBase } from './KnowledgeBase.tsx';
import styles from './Sidebar.module.css';

export interface SidebarProps {
  user: Session['user'];
  conversation: Conversation;
  /** May ask now. */
  canAsk: boolean;
  onAsk: (question: string) => void;
  /** The document that is open beside the conversation. */
  openId: string | null;
  /** In the drawer of a small screen: says who is here, too, and closes when something was chosen. */
  onClose?: () => void;
}

/** What stands left of the conversation: the company's files, and the questions asked before. */
export function Sidebar({ user, conversation, canAsk, onAsk, openId, onClose }: SidebarProps) {
  const queries = useRecentQueries(user.uid);
  return (
    <div className={styles.sidebar}>
      {onClose && (
        <div className={styles.top}>
          <Who user={user} />
          <IconButton label="Close menu" size={36} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
      )}
      <button
        type="button"
        className={styles.newChat}
        disabled={conversation.messages.length === 0}
        onClick={() => {
          newChat();
          onClose?.();
        }}
      >
        New chat
      </button>
      {conversation.problem !== null && <p className={styles.problem}>{conversation.problem}</p>}
      <div className={styles.sections}>
        <KnowledgeBase openId={openId} />
        <section className={styles.section} aria-labelledby="recent-queries">
          <h2 id="recent-queries">{messages.chat.recentQueries}</h2>
          {queries.length === 0 ? (
            <p className={styles.empty}>{messages.chat.noQueries}</p>
          ) : (
            <div className={styles.scroller}>
              <ul>
                {queries.map((query) => (
                  <li key={query}>
                    <button
                      type="button"
                      title={query}
                      disabled={!canAsk}
                      onClick={() => {
                        onAsk(query);
                        onClose?.();
                      }}
                    >
                      <span className={styles.query}>{query}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </section>
      </div>
    </div>
  );
}
