import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import {
  removeSingleSignOn,
  type SingleSignOn,
  saveSingleSignOn,
  setSingleSignOnRequired,
  singleSignOnQuery,
  trySingleSignOn,
} from '#web/api/single-sign-on.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { saidOfProvider } from '#web/lib/provider.ts';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { CopyField } from '#web/ui/CopyField.tsx';
import { Field, PasswordField } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import { DomainList } from './DomainList.tsx';
import { RemoveButton } from './RemoveButton.tsx';
import { SaveBar } from './SaveBar.tsx';
import styles from './Settings.module.css';
import { words } from './single-sign-on-words.ts';
import { told } from './told.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { useUnsaved } from './use-unsaved.tsx';
import { words as pageWords } from './words.ts';

/** How the company's people sign in with a provider of its own. */
export function SingleSignOnSection({ isUnlocked }: { isUnlocked: boolean }) {
  return (
    <Section heading={words.heading}>
      {isUnlocked ? (
        <Unlocked />
      ) : (
        <Locked>
          {words.lockedBefore} {planNameWith('single-sign-on')} {words.lockedAfter}{' '}
          <PlansLink>{pageWords.seePlans}</PlansLink>
        </Locked>
      )}
    </Section>
  );
}

function Unlocked() {
  const { data, error, refetch } = useQuery(singleSignOnQuery);
  const [said] = useState(saidOfProvider);
  if (!data && !error) return <LoadingPart />;
  if (!data) return <LoadFailed retry={refetch}>{messageOf(error, pageWords.notLoaded)}</LoadFailed>;
  return (
    <>
      <p className={styles.lead}>{words.lead}</p>
      {said && <Notice kind={said.kind}>{said.text}</Notice>}
      <ProviderForm settings={data} />
      <DomainList domains={data.domains} />
      {data.provider && <OnlyWayIn provider={data.provider} hasDomain={data.domains.some((each) => each.verifiedAt)} />}
    </>
  );
}

function ProviderForm({ settings: { provider, redirectUri, logoutUri } }: { settings: SingleSignOn }) {
  const { issuer = '', clientId = '' } = provider ?? {};
  const draft = useSavedDraft({ issuer, clientId, clientSecret: '' }, saveSingleSignOn);
  const { values, saving, hasChanges, change, discard } = draft;
  const removing = useMutation(removeSingleSignOn);
  const question = useUnsaved(hasChanges);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    const { clientSecret, ...named } = values;
    saving.mutate({ ...named, ...(clientSecret !== '' && { clientSecret }) });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit} aria-label={words.provider}>
      <h3>{words.provider}</h3>
      <CopyField label={words.redirectUri} hint={words.redirectUriHint} value={redirectUri} />
      <CopyField label={words.logoutUri} hint={words.logoutUriHint} value={logoutUri} />
      <Field
        label={words.issuer}
        type="url"
        hint={words.issuerHint}
        placeholder="https://"
        value={values.issuer}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change({ issuer: target.value })}
      />
      <Field
        label={words.clientId}
        value={values.clientId}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change({ clientId: target.value })}
      />
      <PasswordField
        label={words.clientSecret}
        hint={provider ? words.secretKept : words.secretHint}
        value={values.clientSecret}
        autoComplete="off"
        onChange={({ target }) => change({ clientSecret: target.value })}
      />
      {provider && (
        <div className={styles.buttons}>
          <RemoveButton removing={removing} words={words} />
        </div>
      )}
      <SaveBar
        label={words.save}
        hasChanges={hasChanges}
        isPending={saving.isPending}
        isSaved={saving.isSuccess}
        problem={told(saving.error) ?? told(removing.error)}
        onDiscard={() => {
          saving.reset();
          discard();
        }}
      />
      {question}
    </form>
  );
}

function OnlyWayIn({ provider, hasDomain }: { provider: NonNullable<SingleSignOn['provider']>; hasDomain: boolean }) {
  const { required, testedAt } = provider;
  const [asked, setAsked] = useState(false);
  const trying = useMutation(trySingleSignOn);
  const saving = useMutation({ ...setSingleSignOnRequired, onSettled: () => setAsked(false) });
  const error = told(trying.error) ?? told(saving.error);
  return (
    <div className={styles.form}>
      <h3>{words.onlyWayIn}</h3>
      <p className={styles.lead}>
        {required ? words.passwordsClosed : testedAt === null ? words.tryFirst : words.passwordsOpen}
      </p>
      {error && <Notice kind="problem">{error}</Notice>}
      <div className={styles.buttons}>
        <Button look="plain" pending={trying.isPending} onClick={() => trying.mutate()} disabled={!hasDomain}>
          {words.tryIt}
        </Button>
        {(required || testedAt !== null) && (
          <Button look="plain" onClick={() => setAsked(true)}>
            {required ? words.allowPasswords : words.closePasswords}
          </Button>
        )}
      </div>
      <Confirm
        opened={asked}
        title={required ? words.allowTitle : words.closeTitle}
        action={required ? words.allowPasswords : words.closePasswords}
        harmless={required}
        pending={saving.isPending}
        onConfirm={() => saving.mutate({ required: !required })}
        onCancel={() => setAsked(false)}
      >
        <p>{required ? words.allowText : words.closeText}</p>
      </Confirm>
    </div>
  );
}
