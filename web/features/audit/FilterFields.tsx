import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditActions, auditDaysOnEveryPlan } from '#contract/audit.ts';
import type { AuditWanted } from '#web/api/audit.ts';
import { teamQuery } from '#web/api/team.ts';
import { Button } from '#web/ui/Button.tsx';
import control from '#web/ui/control.module.css';
import { TextButton } from '#web/ui/TextButton.tsx';
import styles from './Audit.module.css';
import { addressOf } from './wanted.ts';
import { namedActions, words } from './words.ts';

export interface FilterFieldsProps {
  wanted: AuditWanted;
  /** Whether the plan shows all of the log. */
  isWhole: boolean;
  /** Told what the address has to say. */
  onChange: (search: Record<string, string>) => void;
}

/** What of the log is looked at. Choices count at once, words when they are sent. */
export function FilterFields({ wanted, isWhole, onChange }: FilterFieldsProps) {
  const { data: team } = useQuery(teamQuery);
  const [text, setText] = useState(wanted.text ?? '');
  const change = (part: Partial<Record<keyof AuditWanted, string>>) => {
    const { action = wanted.action ?? '', ...rest } = part;
    const known = auditActions.find((each) => each === action);
    const { action: _, ...kept } = wanted;
    onChange(addressOf({ ...kept, ...rest, ...(known && { action: known }) }));
  };
  const earliest = isWhole ? undefined : dayAgo(auditDaysOnEveryPlan);
  return (
    <search>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          change({ text: text.trim() });
        }}
      >
        <label>
          {words.action}
          <select
            className={control.field}
            value={wanted.action ?? ''}
            onChange={({ target }) => change({ action: target.value })}
          >
            <option value="">{words.allActions}</option>
            {namedActions().map(({ action, name }) => (
              <option key={action} value={action}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.person}
          <select
            className={control.field}
            value={wanted.userId ?? ''}
            onChange={({ target }) => change({ userId: target.value })}
          >
            <option value="">{words.everybody}</option>
            {wanted.userId && !team?.some(({ uid }) => uid === wanted.userId) && (
              <option value={wanted.userId}>{words.removed}</option>
            )}
            {team?.map(({ uid, email }) => (
              <option key={uid} value={uid}>
                {email}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.day}>
          {words.from}
          <input
            type="date"
            className={control.field}
            value={wanted.from ?? ''}
            min={earliest}
            onChange={({ target }) => change({ from: target.value })}
          />
        </label>
        <label className={styles.day}>
          {words.to}
          <input
            type="date"
            className={control.field}
            value={wanted.to ?? ''}
            min={earliest}
            onChange={({ target }) => change({ to: target.value })}
          />
        </label>
        <label>
          {words.search}
          <input
            type="search"
            className={control.field}
            value={text}
            maxLength={80}
            placeholder={words.searchWhat}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Button look="plain" type="submit">
          {words.search}
        </Button>
        {Object.keys(wanted).length > 0 && (
          <TextButton
            onClick={() => {
              setText('');
              onChange({});
            }}
          >
            {words.showAll}
          </TextButton>
        )}
      </form>
    </search>
  );
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
