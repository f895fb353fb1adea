import { useRef } from 'react';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import type { Session } from '#web/api/session.ts';
import { type Conversation, newChat, openEarlier } from '#web/features/chat/conversation/conversation.ts';
import { titleOf } from '#web/features/chat/conversation/earlier-chats.ts';
import { useRecentQueries } from '#web/features/chat/conversation/recent-queries.ts';
import { logOut } from '#web/lib/log-out.ts';
import { showUndo } from '#web/ui/alerts.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { useMoves } from '#web/ui/motion.ts';
import { Who } from './HeaderLine.tsx';
import { KnowledgeBase } from './KnowledgeBase.tsx';
import styles from './Sidebar.module.css';
import { chatTexts } from './texts.ts';

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
  const { status } = useCompanyFiles();
  return (
    <div className={styles.sidebar}>
      {onClose && (
        <div className={styles.top}>
          <Who user={user} />
          <IconButton label={chatTexts.closeMenu} size={36} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
      )}
      <button
        type="button"
        className={styles.newChat}
        disabled={conversation.messages.length === 0}
        onClick={() => {
          const before = newChat();
          showUndo(chatTexts.newChatBegun, () => before !== undefined && openEarlier(before));
          onClose?.();
        }}
      >
        {chatTexts.newChat}
      </button>
      {conversation.problem !== null && <p className={styles.problem}>{conversation.problem}</p>}
      <div className={styles.sections}>
        <KnowledgeBase openId={openId} />
        {/* Below a list of unknown height: once that is there, or they would be moved by it. */}
        {status !== 'loading' && (
          <section className={styles.section} aria-labelledby="recent-queries">
            <h2 id="recent-queries">{messages.chat.recentQueries}</h2>
            {queries.length === 0 ? (
              <p className={styles.empty}>{messages.chat.noQueries}</p>
            ) : (
              <Choices
                choices={queries.map((query) => ({ key: query, text: query }))}
                disabled={!canAsk}
                onChoose={(query) => {
                  onAsk(query);
                  onClose?.();
                }}
              />
            )}
          </section>
        )}
        {status !== 'loading' && conversation.earlier.length > 0 && (
          <section className={styles.section} aria-labelledby="earlier-chats">
            <h2 id="earlier-chats">{chatTexts.earlierChats}</h2>
            <Choices
              choices={conversation.earlier.map((chat) => ({ key: chat.id, text: titleOf(chat) }))}
              onChoose={(id) => {
                openEarlier(id);
                onClose?.();
              }}
            />
          </section>
        )}
      </div>
      {onClose && (
        <button type="button" className={styles.logOut} onClick={logOut}>
          {messages.admin.logout}
        </button>
      )}
    </div>
  );
}

interface ChoicesProps {
  choices: readonly { key: string; text: string }[];
  disabled?: boolean;
  onChoose: (key: string) => void;
}

function Choices({ choices, disabled = false, onChoose }: ChoicesProps) {
  const list = useRef<HTMLUListElement>(null);
  useMoves(list, choices.map(({ key }) => key).join('\n'));
  return (
    <div className={styles.scroller}>
      <ul ref={list}>
        {choices.map(({ key, text }) => (
          <li key={key}>
            <button type="button" title={text} disabled={disabled} onClick={() => onChoose(key)}>
              <span className={styles.query}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
