import { useMutation } from '@tanstack/react-query';
import { sendEmailConfirmation } from '#web/api/account.ts';
import { messageOf } from '#web/api/call.ts';
import { useFreshSession } from '#web/api/fresh-session.ts';
import type { Session } from '#web/api/session.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { wordsEverywhere } from './words-everywhere.ts';

/** Asks an admin who has signed up to open the mailed link, which the first invitation waits for and nothing else. */
export function ConfirmEmailBanner({ session: { user } }: { session: Session }) {
  if (user.emailConfirmed || user.role !== 'admin') return null;
  return <Unconfirmed email={user.email} />;
}

function Unconfirmed({ email }: { email: string }) {
  const sending = useMutation(sendEmailConfirmation);
  // The link is opened elsewhere, in another tab or on a phone.
  useFreshSession();

  return (
    <Notice
      kind="info"
      title={wordsEverywhere.confirmEmail}
      action={{ label: wordsEverywhere.sendAgain, run: () => sending.isPending || sending.mutate() }}
    >
      {sending.error
        ? messageOf(sending.error, wordsEverywhere.linkNotSent)
        : sending.isSuccess
          ? wordsEverywhere.freshLink(email)
          : wordsEverywhere.openLink(email)}
    </Notice>
  );
}
