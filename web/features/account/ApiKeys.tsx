import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyKind } from '#contract/api-keys.ts';
import { type ApiKey, apiKeysQuery, revokeApiKey } from '#web/api/api-keys.ts';
import { messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { formatDay, formatMoment } from '#web/lib/format.ts';
import { planNameWith } from '#web/lib/price.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Account.module.css';
import { KeyDialog } from './KeyDialog.tsx';
import { words } from './key-words.ts';
import { NewKey } from './NewKey.tsx';

/** The person's own keys, or those of the company, and how to make one. */
export function ApiKeys({ kind }: { kind: ApiKeyKind }) {
  const session = useSession();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState('');
  if (session.state !== 'signed-in') return null;
  const isUnlocked = session.session.entitlements.features.includes('api-keys');
  return (
    <Section
      heading={words.keys}
      tool={
        isUnlocked && (
          <Button look="plain" onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        )
      }
    >
      <p className={styles.lead}>
        {words.lead[kind]} <a href="/developers">{words.howTo}</a>
      </p>
      {!isUnlocked && <KeysLocked isAdmin={session.session.user.role === 'admin'} />}
      <KeyList label={words.keys} shows={(key) => (kind === 'company' ? key.kind === kind : key.own)} />
      <KeyDialog
        kind={kind}
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(key) => {
          setCreating(false);
          setMade(key);
        }}
      />
      <NewKey secret={made} onClose={() => setMade('')} />
    </Section>
  );
}

/** The keys of everybody, for whoever has to be able to end one; nothing where nobody has any. */
export function KeysOfPeople() {
  const { data = [] } = useQuery(apiKeysQuery);
  if (!data.some(isOfPerson)) return null;
  return (
    <Section heading={words.ofPeople}>
      <p className={styles.lead}>{words.ofPeopleLead}</p>
      <KeyList label={words.ofPeople} shows={isOfPerson} named />
    </Section>
  );
}

function isOfPerson({ kind }: ApiKey): boolean {
  return kind === 'personal';
}

function KeysLocked({ isAdmin }: { isAdmin: boolean }) {
  const { data } = useQuery(apiKeysQuery);
  return (
    <Locked>
      {words.lockedBefore} {planNameWith('api-keys')} {words.lockedAfter} {data?.length ? `${words.lockedMeans} ` : ''}
      {isAdmin && <PlansLink>{words.seePlans}</PlansLink>}
    </Locked>
  );
}

interface KeyListProps {
  label: string;
  shows: (key: ApiKey) => boolean;
  /** Says whose each is. */
  named?: boolean;
}

function KeyList({ label, shows, named = false }: KeyListProps) {
  const { data, error, refetch } = useQuery(apiKeysQuery);
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const revoking = useMutation({
    ...revokeApiKey,
    onSuccess: (_, { name }) => showAlert('done', words.revoked(name)),
    onError: (problem) => showAlert('problem', messageOf(problem, words.notRevoked)),
    onSettled: () => setAsked(null),
  });
  if (error && !data) return <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>;
  const keys = data?.filter(shows) ?? [];
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {keys.length === 0 && (
          <li className={data ? undefined : styles.row}>
            {data ? <EmptyState inset>{words.none}</EmptyState> : <Skeleton label={words.loading} lines={2} />}
          </li>
        )}
        {keys.map((key) => (
          <li key={key.keyId} className={styles.row}>
            <KeyWords apiKey={key} named={named} />
            <Button look="danger-quiet" compact aria-label={words.revokeOf(key.name)} onClick={() => setAsked(key)}>
              {words.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        opened={asked !== null}
        title={words.revokeTitle}
        action={words.revoke}
        pending={revoking.isPending}
        onConfirm={() => asked && revoking.mutate(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>
          <strong>{asked?.name}</strong> {words.stopsAtOnce}
        </p>
      </Confirm>
    </>
  );
}

function KeyWords({ apiKey, named }: { apiKey: ApiKey; named: boolean }) {
  const { name, start, scope, role, person, collectionIds, expiresAt, lastUsedAt } = apiKey;
  const hasEnded = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const whose = [
    words.scopes[scope],
    ...(role ? [words.roles[role]] : []),
    ...(collectionIds ? [words.within(collectionIds.length)] : []),
  ];
  const ends = expiresAt && (hasEnded ? words.endedOn : words.endsOn)(formatDay(expiresAt));
  return (
    <div className={styles.words}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
        {hasEnded && <span className={styles.badge}>{words.expired}</span>}
      </p>
      <p className={styles.aside}>
        {named && person && <>{person.email} · </>}
        {whose.join(' · ')} · <code>{start}…</code>
      </p>
      <p className={styles.aside}>
        {lastUsedAt ? words.lastUsed(formatMoment(lastUsedAt)) : words.neverUsed} {ends ?? words.endsNever}
      </p>
    </div>
  );
}
