import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { useRecentQueries } from '#web/features/chat/conversation/recent-queries.ts';
import { leave } from '#web/lib/unsaved.ts';
import { showNext } from '#web/ui/alerts.tsx';
import { stopAwaiting, useAwaited } from './awaited.ts';
import { words } from './words.ts';

/** Watches the documents that were uploaded until each can be asked, or is known to be unreadable. */
export function AfterUpload({ userId }: { userId: string }) {
  const ids = useAwaited();
  return ids.length > 0 ? <Waiting ids={ids} userId={userId} /> : null;
}

function Waiting({ ids, userId }: { ids: readonly string[]; userId: string }) {
  const { files, status } = useCompanyFiles();
  const hasAsked = useRecentQueries(userId).length > 0;
  const navigate = useNavigate();
  const mine = files.filter(({ id }) => ids.includes(id));
  const isOver =
    status === 'ready' && mine.every(({ state }) => state === 'ready' || state === 'partial' || state === 'failed');
  const failed = mine.filter(({ state }) => state === 'failed').length;
  const ready = mine.length - failed;
  useEffect(() => {
    if (!isOver) return;
    stopAwaiting();
    if (ready + failed === 0) return;
    // What could not be read is seen to first.
    const to = failed === 0 ? '/chat' : '/admin/documents?state=failed';
    const label = failed > 0 ? words.seeWhy : hasAsked ? words.ask : words.askFirst;
    showNext(words.ready(ready, failed), { label, href: to, go: () => leave(() => void navigate(to)) });
  }, [isOver, ready, failed, hasAsked, navigate]);
  return null;
}
