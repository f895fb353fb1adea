import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { type CompanySettings, setSecondFactorRequired } from '#web/api/company-settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Settings.module.css';
import { words } from './words.ts';

/** Whether everybody in the company has to have a second factor. */
export function SecondFactorRule({ settings: { secondFactorRequired } }: { settings: CompanySettings }) {
  const [asked, setAsked] = useState(false);
  const saving = useMutation({ ...setSecondFactorRequired, onSettled: () => setAsked(false) });
  const { error } = saving;
  const hasNone = error instanceof AppError && error.code === 'own-second-factor-first';
  return (
    <Section heading={words.secondFactor}>
      <p className={styles.lead}>{secondFactorRequired ? words.everybodyHas : words.everybodyMay}</p>
      {error && !isCancelled(error) && (
        <Notice kind="problem">
          {messageOf(error, words.notSaved)} {hasNone && <Link to="/account/security">{words.setOneUp}</Link>}
        </Notice>
      )}
      <p className={styles.action}>
        <Button look="plain" onClick={() => setAsked(true)}>
          {secondFactorRequired ? words.makeChoice : words.askEverybodyForOne}
        </Button>
      </p>
      <Confirm
        opened={asked}
        title={secondFactorRequired ? words.makeChoiceTitle : words.askEverybodyTitle}
        action={secondFactorRequired ? words.makeItChoice : words.askEverybody}
        harmless={!secondFactorRequired}
        pending={saving.isPending}
        onConfirm={() => saving.mutate({ required: !secondFactorRequired })}
        onCancel={() => setAsked(false)}
      >
        <p>{secondFactorRequired ? words.thoseKeep : words.atOnce}</p>
      </Confirm>
    </Section>
  );
}
