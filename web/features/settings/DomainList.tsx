import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { AppError } from '#contract/errors.ts';
import { addDomain, checkDomain, removeDomain, type SingleSignOn } from '#web/api/single-sign-on.ts';
import { Button } from '#web/ui/Button.tsx';
import { CopyField } from '#web/ui/CopyField.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { RemoveButton } from './RemoveButton.tsx';
import styles from './Settings.module.css';
import { words } from './single-sign-on-words.ts';
import { told } from './told.ts';

type Domain = SingleSignOn['domains'][number];

/** The domains of the company's e-mails, each with the record that proves it. */
export function DomainList({ domains }: { domains: readonly Domain[] }) {
  const adding = useMutation(addDomain);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = () => String(new FormData(form).get('domain')).trim();
    const domain = typed();
    // What was typed meanwhile is the next one.
    if (!adding.isPending) adding.mutate({ domain }, { onSuccess: () => typed() === domain && form.reset() });
  };
  return (
    <div className={styles.form}>
      <h3>{words.domains}</h3>
      <p className={styles.lead}>{words.domainsLead}</p>
      {domains.map((each) => (
        <OneDomain key={each.domain} {...each} />
      ))}
      <form className={styles.form} noValidate onSubmit={submit} aria-label={words.addDomain}>
        <Field
          label={words.domain}
          name="domain"
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={adding.error ? whyNot(adding.error) : undefined}
        />
        <div className={styles.buttons}>
          <Button look="plain" type="submit" pending={adding.isPending}>
            {words.addDomain}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** What is wrong with what was typed, nothing at all included. */
function whyNot(error: Error): string | undefined {
  const isNone = error instanceof AppError && error.code === 'invalid-input';
  return isNone ? words.noDomain : told(error);
}

function OneDomain({ domain, record, verifiedAt }: Domain) {
  const checking = useMutation(checkDomain);
  const removing = useMutation(removeDomain);
  const error = told(checking.error) ?? told(removing.error);
  return (
    <section className={styles.domain} aria-label={domain}>
      <p>
        <strong>{domain}</strong> {verifiedAt ? words.verified : words.notVerified}
      </p>
      {!verifiedAt && (
        <>
          <CopyField label={words.recordName} value={record.name} />
          <CopyField label={words.recordValue} value={record.value} hint={words.recordHint} />
        </>
      )}
      {error && <Notice kind="problem">{error}</Notice>}
      <div className={styles.buttons}>
        {!verifiedAt && (
          <Button look="plain" pending={checking.isPending} onClick={() => checking.mutate({ domain })}>
            {words.checkNow}
          </Button>
        )}
        <RemoveButton
          removing={{ ...removing, mutate: (_, options) => removing.mutate({ domain }, options) }}
          words={words.removal(domain)}
        />
      </div>
    </section>
  );
}
