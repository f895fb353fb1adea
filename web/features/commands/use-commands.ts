import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import type { Session } from '#web/api/session.ts';
import { ask, newChat } from '#web/features/chat/conversation/conversation.ts';
import { useRecentQueries } from '#web/features/chat/conversation/recent-queries.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { logOut } from '#web/lib/log-out.ts';
import type { Command } from './matching.ts';
import { words } from './words.ts';

const adminPages = [
  { label: messages.admin.dashboard, path: '/admin/dashboard' },
  { label: words.documents, path: '/admin/documents' },
  { label: words.team, path: '/admin/team' },
  { label: messages.admin.analytics, path: '/admin/analytics' },
  { label: words.chatAgent, path: '/admin/chat-agent' },
  { label: words.settings, path: '/admin/settings' },
];

/** What the person may go to and do, wherever they are. */
export function useCommands({ user, entitlements }: Session): readonly Command[] {
  const navigate = useNavigate();
  const { files } = useCompanyFiles();
  const queries = useRecentQueries(user.uid);
  const isAdmin = user.role === 'admin';
  return useMemo(() => {
    const go = (path: string) => void navigate(path);
    const documents = files.filter(({ currentVersion }) => currentVersion !== undefined);
    const all: (Command | false)[] = [
      {
        key: 'new-chat',
        group: 'Actions',
        label: words.newChat,
        run: () => {
          newChat();
          go('/chat');
        },
      },
      isAdmin &&
        entitlements.upload && {
          key: 'upload',
          group: 'Actions',
          label: messages.documents.upload,
          run: () => {
            go('/admin/dashboard');
            openUploads();
          },
        },
      { key: 'log-out', group: 'Actions', label: messages.admin.logout, run: logOut },
      { key: 'chat', group: 'Pages', label: words.chat, run: () => go('/chat') },
      ...(isAdmin ? adminPages : []).map(
        ({ label, path }): Command => ({ key: path, group: 'Pages', label, run: () => go(path) }),
      ),
      ...documents.map(
        ({ id, name, currentVersion }): Command => ({
          key: id,
          group: 'Documents',
          label: name,
          run: () => go(`/documents/${id}/${currentVersion}`),
        }),
      ),
      ...(entitlements.chat ? queries : []).map(
        (query): Command => ({
          key: `query ${query}`,
          group: 'Questions',
          label: query,
          run: () => {
            go('/chat');
            void ask(user.uid, query);
          },
        }),
      ),
    ];
    return all.filter((command) => command !== false);
  }, [navigate, files, queries, isAdmin, entitlements, user.uid]);
}
