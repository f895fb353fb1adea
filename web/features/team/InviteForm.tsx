import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { call, messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { type Person, reloadTeam } from '#web/api/team.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { looksLikeEmail } from '#web/lib/email.ts';
import { Button } from '#web/ui/Button.tsx';
import { useTeamTools } from './plan.tsx';
import { RoleSelect } from './RoleSelect.tsx';
import styles from './Team.module.css';

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
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ kind: 'problem' | 'done'; text: string; code?: string } | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (companyId === null || !looksLikeEmail(email.trim())) {
      setSaid({ kind: 'problem', text: texts.invalidEmail });
      return input.current?.focus();
    }
    setBusy(true);
    setSaid(null);
    try {
      const { message } = await call('inviteUser', { email, companyId, ...(withRole && unlocked ? { role } : {}) });
      setSaid({ kind: 'done', text: message });
      setEmail('');
      void reloadTeam();
    } catch (error) {
      const why = messageOf(error, '');
      const code = error instanceof AppError ? error.code : 'internal';
      setSaid({ kind: 'problem', text: why === '' ? texts.inviteFailed : texts.inviteFailedWith(why), code });
    } finally {
      setBusy(false);
      input.current?.focus();
    }
  };

  return (
    <form className={styles.invite} noValidate onSubmit={submit}>
      <div className={styles.inviteLine}>
        <input
          ref={input}
          type="email"
          className={styles.input}
          aria-label="Email of the person to invite"
          placeholder="Email of the person to invite"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={said?.kind === 'problem' || undefined}
          aria-describedby={said?.kind === 'problem' ? id : undefined}
        />
        {withRole && <RoleSelect label="Role of the person to invite" value={role} onChange={setRole} />}
        <Button type="submit" look="plain" pending={busy}>
          {busy ? texts.sending : texts.sendInvite}
        </Button>
        {children}
      </div>
      {said && (
        <p id={id} className={styles.said} data-kind={said.kind} role={said.kind === 'problem' ? 'alert' : 'status'}>
          {said.text}
          {(said.code === 'seats-used-up' || said.code === 'subscription-required') && (
            <>
              {' '}
              <PlansLink>See the plans</PlansLink>
            </>
          )}
        </p>
      )}
    </form>
  );
}
