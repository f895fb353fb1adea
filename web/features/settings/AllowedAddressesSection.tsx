import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AllowedAddresses,
  allowedAddressesQuery,
  removeAllowedAddresses,
  saveAllowedAddresses,
} from '#web/api/allowed-addresses.ts';
import { messageOf } from '#web/api/call.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { TextArea } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import { words } from './allowed-addresses-words.ts';
import { RemoveButton } from './RemoveButton.tsx';
import { linesOf, rangesIn } from './range-lines.ts';
import { SaveBar } from './SaveBar.tsx';
import styles from './Settings.module.css';
import { told } from './told.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { useUnsaved } from './use-unsaved.tsx';
import { words as pageWords } from './words.ts';

/** From which addresses the company's people may come. Without the plan a list that is in force can be removed. */
export function AllowedAddressesSection({ isUnlocked }: { isUnlocked: boolean }) {
  const { data, error, refetch } = useQuery(allowedAddressesQuery);
  return (
    <Section heading={words.heading}>
      {data ? (
        <Known list={data} isUnlocked={isUnlocked} />
      ) : error ? (
        <LoadFailed retry={refetch}>{messageOf(error, pageWords.notLoaded)}</LoadFailed>
      ) : isUnlocked ? (
        <LoadingPart />
      ) : (
        // Most have no list: what comes then is there at once, and moves nothing below it.
        <Known list={noList} isUnlocked={false} />
      )}
    </Section>
  );
}

const noList: AllowedAddresses = { ranges: [], yourAddress: '' };

function Known({ list, isUnlocked }: { list: AllowedAddresses; isUnlocked: boolean }) {
  if (isUnlocked) return <AddressForm list={list} />;
  const isInForce = list.ranges.length > 0;
  return (
    <>
      <Locked>
        {isInForce ? words.stillBefore : words.lockedBefore} {planNameWith('allowed-addresses')}{' '}
        {isInForce ? words.stillAfter : words.lockedAfter} <PlansLink>{pageWords.seePlans}</PlansLink>
      </Locked>
      {isInForce && (
        <div className={styles.form}>
          <TextArea label={words.addresses} value={linesOf(list.ranges)} readOnly />
          <div className={styles.buttons}>
            <RemoveList />
          </div>
        </div>
      )}
    </>
  );
}

function AddressForm({ list: { ranges, yourAddress } }: { list: AllowedAddresses }) {
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    { text: linesOf(ranges) },
    saveAllowedAddresses,
  );
  const [asked, setAsked] = useState(false);
  const [isEmpty, setIsEmpty] = useState(false);
  const question = useUnsaved(hasChanges);
  const { text } = values;
  const problem = isEmpty ? words.empty : told(saving.error);
  const edit = (next: string) => {
    setIsEmpty(false);
    change({ text: next });
  };
  return (
    <form
      className={styles.form}
      aria-label={words.heading}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (saving.isPending) return;
        if (rangesIn(text).length === 0) setIsEmpty(true);
        else setAsked(true);
      }}
    >
      <p className={styles.lead}>
        {ranges.length === 0 ? words.fromAnywhere : words.fromThese} {words.youAreAt} <strong>{yourAddress}</strong>.
      </p>
      <TextArea
        label={words.addresses}
        hint={words.hint}
        error={problem}
        value={text}
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onChange={({ target }) => edit(target.value)}
      />
      <div className={styles.buttons}>
        <Button
          look="plain"
          onClick={() => edit([...text.split('\n').filter((line) => line.trim() !== ''), yourAddress].join('\n'))}
        >
          {words.addMine}
        </Button>
        {ranges.length > 0 && <RemoveList />}
      </div>
      <SaveBar
        hasChanges={hasChanges}
        isPending={saving.isPending}
        isSaved={saving.isSuccess}
        problem={problem && pageWords.notSaved}
        onDiscard={() => {
          setIsEmpty(false);
          saving.reset();
          discard();
        }}
      />
      <Confirm
        opened={asked}
        title={words.saveTitle}
        action={words.saveAction}
        pending={saving.isPending}
        onConfirm={() => saving.mutate({ ranges: rangesIn(text) }, { onSettled: () => setAsked(false) })}
        onCancel={() => setAsked(false)}
      >
        <p>{words.saveText}</p>
      </Confirm>
      {question}
    </form>
  );
}

function RemoveList() {
  const removing = useMutation(removeAllowedAddresses);
  const error = told(removing.error);
  return (
    <>
      <RemoveButton removing={removing} words={words} />
      {error && <Notice kind="problem">{error}</Notice>}
    </>
  );
}
