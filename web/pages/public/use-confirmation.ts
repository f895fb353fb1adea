import { useEffect, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { confirmEmail } from '#web/api/passwords.ts';
import { cleanAddress } from '#web/lib/location.ts';
import type { FormMessage } from './login-form.ts';
import { addressOf, confirmCodeIn } from './login-mode.ts';

const texts = {
  confirming: 'Confirming your email address …',
  emailConfirmed: 'Your email address is confirmed. You can now invite your team.',
  confirmFailed: 'Your email address could not be confirmed. Please open the link again.',
};

/**
 * Confirms an e-mail address where the login screen was opened by the link that was mailed for it, and says how that went; null
 * where it was not. The code is taken out of the address at once.
 */
export function useConfirmation(): FormMessage | null {
  const [code] = useState(() => confirmCodeIn(window.location.search));
  const [message, setMessage] = useState<FormMessage | null>(
    code === null ? null : { kind: 'info', text: texts.confirming },
  );
  useEffect(() => {
    if (code === null) return;
    cleanAddress(addressOf('login'), null);
    let left = false;
    confirmEmail(code).then(
      () => !left && setMessage({ kind: 'done', text: texts.emailConfirmed }),
      (error) => !left && setMessage({ kind: 'problem', text: messageOf(error, texts.confirmFailed) }),
    );
    return () => {
      left = true;
    };
  }, [code]);
  return message;
}
