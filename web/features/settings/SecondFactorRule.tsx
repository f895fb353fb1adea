import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { type CompanySettings, setSecondFactorRequired } from '#web/api/company-settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Settings.module.css';

/** Whether everybody in the company has to have a second factor. */
export function SecondFactorRule({ settings: { secondFactorRequired } }: { settings: CompanySettings }) {
  const [asked, setAsked] = useState(false);
  const saving = useMutation({ ...setSecondFactorRequired, onSettled: () => setAsked(false) });
  const { error } = saving;
  const hasNone = error instanceof AppError && error.code === 'own-second-factor-first';
  const isCancelled = error instanceof AppError && error.code === 'cancelled';
  return (
    <Section heading="Second factor">
      <p className={styles.lead}>
        {secondFactorRequired
          ? 'Everybody has to have a second factor. Who has none can only set one up. Who has lost theirs is helped on the team page.'
          : 'Everybody may have a second factor, under “Sign-in and security” in their account. You can ask everybody for one.'}
      </p>
      {error && !isCancelled && (
        <Notice kind="problem">
          {messageOf(error, 'This could not be saved.')}{' '}
          {hasNone && <Link to="/account/security">Set one up in your account</Link>}
        </Notice>
      )}
      <p className={styles.action}>
        <Button look="plain" onClick={() => setAsked(true)}>
          {secondFactorRequired ? 'Make it everybody’s choice' : 'Ask everybody for one'}
        </Button>
      </p>
      <Confirm
        opened={asked}
        title={secondFactorRequired ? 'Make it everybody’s choice?' : 'Ask everybody for a second factor?'}
        action={secondFactorRequired ? 'Make it a choice' : 'Ask everybody'}
        harmless={!secondFactorRequired}
        pending={saving.isPending}
        onConfirm={() => saving.mutate({ required: !secondFactorRequired })}
        onCancel={() => setAsked(false)}
      >
        <p>
          {secondFactorRequired
            ? 'Those who have one keep it. Nobody else will be asked for one.'
            : 'It takes effect at once: whoever has none is stopped where they are, and can only set one up.'}
        </p>
      </Confirm>
    </Section>
  );
}
