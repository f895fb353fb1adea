import { type FormEvent, useTransition } from 'react';

/** What is sent once nothing is wrong with the form; it says by itself what went wrong on the way, and never throws. */
type Sending = () => Promise<void>;

/**
 * A form's action by React's own state for it. `check` looks at what was typed and says what is wrong with it, or
 * returns what is to be done; `pending` until that is done, and a second submit meanwhile does nothing. What was typed
 * stays: as the form's `action` it would be emptied.
 */
export function useSubmit(check: (fields: FormData) => Sending | undefined): {
  pending: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
} {
  const [pending, start] = useTransition();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    // Outside of the action: what it says shows at once, and not with its end.
    const send = check(new FormData(event.currentTarget));
    if (send) start(send);
  };
  return { pending, onSubmit };
}
