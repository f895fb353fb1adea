import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { invite, type Person } from '#web/api/team.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { looksLikeEmail } from '#web/lib/email.ts';
import { Button } from '#web/ui/Button.tsx';
import control from '#web/ui/control.module.css';
import { useTeamTools } from './plan.tsx';
import { RoleSelect } from './RoleSelect.tsx';
import styles from './Team.module.css';
import { words } from './words.ts';

const texts = messages.team;

/** Invites one person. `withRole` also asks for the role, and `children` stand beside the button. */
export function InviteForm({ withRole = false, children }: { withRole?: boolean; children?: ReactNode }) {
  const session = useSession();
  const companyId = session.state === 'signed-in' ? session.session.company.id : null;
  const { unlocked } = useTeamTools();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Person['role']>('member');
  const [invalid, setInvalid] = useState(false);
  const invitation = useMutation({
    ...invite,
    // The next address may have been typed meanwhile.
    onSuccess: (_, sent) => setEmail((now) => (now === sent.email ? '' : now)),
    onSettled: () => input.current?.focus(),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invitation.isPending) return;
    const wrong = companyId === null || !looksLikeEmail(email.trim());
    setInvalid(wrong);
    if (wrong) return input.current?.focus();
    invitation.mutate({ email, companyId, ...(withRole && unlocked ? { role } : {}) });
  };
  const said = saidOf(invalid, invitation);

  return (
    <form className={styles.invite} noValidate onSubmit={submit}>
      <div className={styles.inviteLine}>
        <input
          ref={input}
          type="email"
          className={`${control.field} ${styles.input}`}
          aria-label={words.inviteEmail}
          placeholder={words.inviteEmail}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={said?.kind === 'problem' || undefined}
          aria-describedby={said?.kind === 'problem' ? id : undefined}
        />
        {withRole && <RoleSelect label={words.inviteRole} value={role} onChange={setRole} />}
        <Button type="submit" look="plain" pending={invitation.isPending}>
          {invitation.isPending ? texts.sending : texts.sendInvite}
        </Button>
        {children}
      </div>
      {said && (
        <p id={id} className={styles.said} data-kind={said.kind} role={said.kind === 'problem' ? 'alert' : 'status'}>
          {said.text}
          {(said.code === 'seats-used-up' || said.code === 'subscription-required') && (
            <>
              {' '}
              <PlansLink>{words.seePlans}</PlansLink>
            </>
          )}
        </p>
      )}
    </form>
  );
}

interface Said {
  kind: 'problem' | 'done';
  text: string;
  code?: string;
}

/** What stands below the form. */
function saidOf(
  invalid: boolean,
  { data, error }: { data: { message: string } | undefined; error: Error | null },
): Said | null {
  if (invalid) return { kind: 'problem', text: texts.invalidEmail };
  if (data) return { kind: 'done', text: data.message };
  if (!error) return null;
  const why = messageOf(error, '');
  return {
    kind: 'problem',
    text: why === '' ? texts.inviteFailed : texts.inviteFailedWith(why),
    code: error instanceof AppError ? error.code : 'internal',
  };
}
