import { useEffect, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { confirmEmail } from '#web/api/passwords.ts';
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
 * went; null where it was not. The code is taken out of the address at once.
 */
export function useConfirmation(): FormMessage | null {
  const [code] = useState(() => confirmCodeIn(window.location.search));
  const [confirmation] = useState(() => createResource(async () => code !== null && confirmEmail(code)));
  const now = useStore(confirmation);
  useEffect(() => {
    if (code !== null) cleanAddress(addressOf('login'), null);
  }, [code]);
  if (code === null) return null;
  if (now.state === 'loading') return { kind: 'info', text: texts.confirming };
  if (now.state === 'ready') return { kind: 'done', text: texts.emailConfirmed };
  return { kind: 'problem', text: messageOf(now.error, texts.confirmFailed) };
}
