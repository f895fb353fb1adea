import { useEffect, useState } from 'react';
import { call, messageOf } from '#web/api/call.ts';
import { reloadSession, type Session } from '#web/api/session.ts';
import { Notice } from '#web/ui/Notice.tsx';

/** Asks an admin who has signed up to open the mailed link, which the first invitation waits for and nothing else. */
export function ConfirmEmailBanner({ session: { user } }: { session: Session }) {
  if (user.emailConfirmed || user.role !== 'admin') return null;
  return <Unconfirmed email={user.email} />;
}

function Unconfirmed({ email }: { email: string }) {
  const [sending, setSending] = useState<'no' | 'now' | 'done'>('no');
  const [problem, setProblem] = useState<string | null>(null);
  // The link is opened elsewhere, in another tab or on a phone.
  useEffect(() => {
    const look = () => void reloadSession().catch(() => {});
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);

  const send = async () => {
    if (sending === 'now') return;
    setSending('now');
    setProblem(null);
    try {
      await call('sendEmailConfirmation', null);
      setSending('done');
    } catch (error) {
      setSending('no');
      setProblem(messageOf(error, 'The link could not be sent. Please try again.'));
    }
  };
  return (
    <Notice kind="info" title="Please confirm your email" action={{ label: 'Send again', run: send }}>
      {problem ??
        (sending === 'done'
          ? `A fresh link is on its way to ${email}.`
          : `Open the link that we sent to ${email}, and you can invite your team.`)}
    </Notice>
  );
}
