import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { type Webhook, webhooksQuery } from '#web/api/webhooks.ts';
import styles from '#web/features/account/Account.module.css';
import { NewKey } from '#web/features/account/NewKey.tsx';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { planNameWith } from '#web/lib/price.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookWords } from './WebhookWords.tsx';
import { words } from './words.ts';

// One at a time, with its log: the settings come without it.
const OneWebhook = lazyPart(() => import('./OneWebhook.tsx').then(({ OneWebhook }) => OneWebhook));

const ofSecret = { madeTitle: words.secretTitle, madeLead: words.secretLead, key: words.secret };

/** The company's webhooks, and how to make one; or, where the address names it, one with its log. */
export function Webhooks() {
  const session = useSession();
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [search, setSearch] = useSearchParams();
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState('');
  if (session.state !== 'signed-in') return null;
  const isUnlocked = session.session.entitlements.features.includes('webhooks');
  const open = data?.find(({ webhookId }) => webhookId === search.get('log'));
  return (
    <>
      {open ? (
        <Suspense fallback={<LoadingPart />}>
          <OneWebhook
            key={open.webhookId}
            webhook={open}
            isUnlocked={isUnlocked}
            onSecret={setSecret}
            onClose={() => setSearch({})}
          />
        </Suspense>
      ) : (
        <Section
          heading={words.webhooks}
          tool={
            isUnlocked && (
              <Button look="plain" onClick={() => setCreating(true)}>
                {words.create}
              </Button>
            )
          }
        >
          <p className={styles.lead}>
            {words.lead} <a href="/developers#webhooks">{words.howTo}</a>
          </p>
          {!isUnlocked && (
            <Locked>
              {words.lockedBefore} {planNameWith('webhooks')} {words.lockedAfter}{' '}
              {data?.length ? `${words.lockedMeans} ` : ''}
              <PlansLink>{words.seePlans}</PlansLink>
            </Locked>
          )}
          {error && !data ? (
            <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>
          ) : (
            <WebhookList hooks={data} onOpen={(log) => setSearch({ log })} />
          )}
        </Section>
      )}
      <WebhookDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(made) => {
          setCreating(false);
          setSecret(made);
        }}
      />
      <NewKey secret={secret} told={ofSecret} onClose={() => setSecret('')} />
    </>
  );
}

function WebhookList({ hooks, onOpen }: { hooks: Webhook[] | undefined; onOpen: (webhookId: string) => void }) {
  return (
    <ul className={styles.list} aria-label={words.webhooks}>
      {(!hooks || hooks.length === 0) && (
        <li className={hooks ? undefined : styles.row}>
          {hooks ? <EmptyState inset>{words.none}</EmptyState> : <Skeleton label={words.loading} lines={2} />}
        </li>
      )}
      {hooks?.map((hook) => (
        <li key={hook.webhookId} className={styles.row}>
          <WebhookWords hook={hook} />
          <Button
            look="plain"
            compact
            aria-label={words.openOf(new URL(hook.url).host)}
            onClick={() => onOpen(hook.webhookId)}
          >
            {words.open}
          </Button>
        </li>
      ))}
    </ul>
  );
}
