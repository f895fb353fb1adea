import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AppError } from '#contract/errors.ts';
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
import styles from './Settings.module.css';
import { words } from './single-sign-on-words.ts';
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
      <ProviderForm settings={data} key={data.provider?.issuer} />
      <DomainList domains={data.domains} />
      {data.provider && <OnlyWayIn provider={data.provider} hasDomain={data.domains.some((each) => each.verifiedAt)} />}
    </>
  );
}

function ProviderForm({ settings: { provider, redirectUri, logoutUri } }: { settings: SingleSignOn }) {
  const saving = useMutation(saveSingleSignOn);
  const removing = useMutation(removeSingleSignOn);
  const error = told(saving.error) ?? told(removing.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const clientSecret = String(fields.get('clientSecret'));
    saving.mutate(
      {
        issuer: String(fields.get('issuer')),
        clientId: String(fields.get('clientId')),
        ...(clientSecret !== '' && { clientSecret }),
      },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit} aria-label={words.provider}>
      <h3>{words.provider}</h3>
      <CopyField label={words.redirectUri} hint={words.redirectUriHint} value={redirectUri} />
      <CopyField label={words.logoutUri} hint={words.logoutUriHint} value={logoutUri} />
      <Field
        label={words.issuer}
        name="issuer"
        type="url"
        hint={words.issuerHint}
        placeholder="https://"
        defaultValue={provider?.issuer ?? ''}
        spellCheck={false}
        autoComplete="off"
      />
      <Field
        label={words.clientId}
        name="clientId"
        defaultValue={provider?.clientId ?? ''}
        spellCheck={false}
        autoComplete="off"
      />
      <PasswordField
        label={words.clientSecret}
        name="clientSecret"
        hint={provider ? words.secretKept : words.secretHint}
        autoComplete="off"
      />
      {error && <Notice kind="problem">{error}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" pending={saving.isPending}>
          {words.save}
        </Button>
        {provider && <RemoveButton removing={removing} words={words} />}
      </div>
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

/** What went wrong; nothing where the person would rather not confirm the password. */
export function told(error: Error | null): string | undefined {
  if (!error || (error instanceof AppError && error.code === 'cancelled')) return undefined;
  return messageOf(error, pageWords.notSaved);
}
