import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSession } from '#web/api/session.ts';
import { type InviteResult, inviteMany, type Person } from '#web/api/team.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import control from '#web/ui/control.module.css';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { LockIcon } from '#web/ui/icons.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import styles from './InviteMany.module.css';
import { ListPreview } from './ListPreview.tsx';
import { parseAddresses } from './parse-addresses.ts';
import { seatsTaken } from './people.ts';
import { useTeamTools } from './plan.tsx';
import { RoleSelect } from './RoleSelect.tsx';
import team from './Team.module.css';
import { words } from './words.ts';

/** Invites everybody of a pasted list: what is recognised is shown first, and afterwards what became of each. */
export function InviteMany({
  opened,
  onClose,
  people,
}: {
  opened: boolean;
  onClose: () => void;
  people: readonly Person[];
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.inviteMany} wide>
      <Form onClose={onClose} people={people} />
    </Dialog>
  );
}

/** Opens it; locked where the plan does not have it. */
export function InviteManyButton({ onClick }: { onClick: () => void }) {
  const { unlocked, reasonId } = useTeamTools();
  return (
    <button
      type="button"
      className={team.many}
      disabled={!unlocked}
      aria-describedby={unlocked ? undefined : reasonId}
      onClick={onClick}
    >
      {!unlocked && <LockIcon />}
      {words.inviteMany}
    </button>
  );
}

function Form({ onClose, people }: { onClose: () => void; people: readonly Person[] }) {
  const session = useSession();
  const seats = session.state === 'signed-in' ? session.session.entitlements.seats : null;
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [role, setRole] = useState<Person['role']>('member');
  const [done, setDone] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);

  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);

  const parsed = parseAddresses(text);
  const members = new Set(people.filter(({ state }) => state === 'active').map(({ email }) => email.toLowerCase()));
  const wanted = parsed.addresses.filter((address) => !members.has(address));
  const present = parsed.addresses.filter((address) => members.has(address));
  const free = seats === null ? null : Math.max(0, seats - seatsTaken(people));

  const invitations = useMutation({
    ...inviteMany,
    onSuccess: (results) => {
      // Who has closed the window meanwhile is told when all is done.
      if (closed.current) showAlert(results.every(({ invited }) => invited) ? 'done' : 'problem', inWords(results));
    },
  });
  const { data: results, isPending } = invitations;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (wanted.length === 0) {
      setProblem(words.addressRequired);
      return input.current?.focus();
    }
    setProblem(null);
    invitations.mutate({ emails: wanted, role, onProgress: setDone });
  };

  if (results) return <Results results={results} onClose={onClose} />;
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label className={styles.field}>
        <span>{words.addresses}</span>
        <textarea
          ref={input}
          className={`${control.field} ${styles.list}`}
          rows={6}
          placeholder={'mara@company.example\nJonas Berg <jonas@company.example>'}
          spellCheck={false}
          autoCapitalize="none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
          readOnly={isPending}
          data-autofocus
        />
      </label>
      <p className={styles.hint}>{words.addressesHint}</p>
      {problem && <Notice kind="problem">{problem}</Notice>}
      <ListPreview wanted={wanted} present={present} parsed={parsed} />
      {free !== null && wanted.length > free && (
        <Notice kind="info">
          {free === 0 ? words.allSeatsTaken : words.seatsLeft(free)}
          {words.othersRefused}
        </Notice>
      )}
      {isPending && <Progress label={words.invitationsSent} done={done} total={invitations.variables.emails.length} />}
      <div className={styles.foot}>
        <DialogActions apart flush>
          <RoleSelect label={words.inviteManyRole} value={role} onChange={setRole} />
          <DialogActions flush>
            <Button look="plain" onClick={onClose}>
              {isPending ? words.close : words.cancel}
            </Button>
            <Button type="submit" pending={isPending}>
              {isPending ? words.sentOf(done, invitations.variables.emails.length) : invite(wanted.length)}
            </Button>
          </DialogActions>
        </DialogActions>
      </div>
    </form>
  );
}

function invite(count: number): string {
  return words.sendMany(count);
}

function Results({ results, onClose }: { results: readonly InviteResult[]; onClose: () => void }) {
  const refused = results.filter(({ invited }) => !invited);
  return (
    <div className={styles.form}>
      <Notice kind={refused.length === 0 ? 'done' : 'info'}>{inWords(results)}</Notice>
      {/* What needs seeing to comes first. */}
      <ul className={styles.results} aria-label={words.results}>
        {[...refused, ...results.filter(({ invited }) => invited)].map(({ email, invited, message }) => (
          <li key={email}>
            <bdi className={styles.address}>{email}</bdi>
            <span data-kind={invited ? 'done' : 'problem'}>{message}</span>
          </li>
        ))}
      </ul>
      <DialogActions flush>
        <Button onClick={onClose} data-autofocus>
          {words.done}
        </Button>
      </DialogActions>
    </div>
  );
}

function inWords(results: readonly InviteResult[]): string {
  const sent = results.filter(({ invited }) => invited).length;
  const refused = results.length - sent;
  const good = words.onTheirWay(sent);
  return refused === 0 ? `${good}.` : words.notSent(good, refused);
}
