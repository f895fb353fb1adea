import { useEffect, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { confirmEmail } from '#web/api/passwords.ts';
import { knownSession, reloadSessionSoon } from '#web/api/session.ts';
import { cleanAddress } from '#web/lib/location.ts';
import { createResource } from '#web/lib/resource.ts';
import { useStore } from '#web/lib/store.ts';
import type { FormMessage } from './login-form.ts';
import { addressOf, confirmCodeIn } from './login-mode.ts';

const texts = {
  confirming: 'Confirming your email address …',
  emailConfirmed: 'Your email address is confirmed. You can now invite your team.',
  confirmFailed: 'Your email address could not be confirmed. Please open the link again.',
};

/**
 * Confirms an e-mail address where the login screen was opened by the link that was mailed for it, and says how that
 * went; null where it was not. The code is taken out of the address at once. `isIn`: whoever opened it is signed in.
 */
export function useConfirmation(): (FormMessage & { isIn?: boolean }) | null {
  const [code] = useState(() => confirmCodeIn(window.location.search));
  const [confirmation] = useState(() => createResource(async () => code !== null && confirm(code)));
  const now = useStore(confirmation);
  useEffect(() => {
    if (code !== null) cleanAddress(addressOf('login'), null);
  }, [code]);
  if (code === null) return null;
  if (now.state === 'loading') return { kind: 'info', text: texts.confirming };
  if (now.state === 'ready') return { kind: 'done', text: texts.emailConfirmed, isIn: now.data };
  return { kind: 'problem', text: messageOf(now.error, texts.confirmFailed) };
}

/** @returns whether somebody is signed in here: as it was then, since who signs in by the form goes on from there */
async function confirm(code: string): Promise<boolean> {
  await confirmEmail(code);
  // Read before, it would still ask for what has just been done.
  reloadSessionSoon();
  return (await knownSession()).state === 'signed-in';
}
