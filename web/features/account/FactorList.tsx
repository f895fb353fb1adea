import type { AccountSecurity } from '#web/api/account-security.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/Button.tsx';
import styles from './Account.module.css';
import { words } from './words.ts';

export type Factor = AccountSecurity['secondFactor']['factors'][number];

interface FactorListProps extends Pick<AccountSecurity['secondFactor'], 'factors' | 'recoveryCodesLeft'> {
  /** The one that is being removed. */
  removing: string | undefined;
  onRemove: (factor: Factor) => void;
  onRenew: () => void;
}

export function FactorList({ factors, recoveryCodesLeft, removing, onRemove, onRenew }: FactorListProps) {
  return (
    <ul className={styles.list} aria-label={words.secondFactors}>
      {factors.map((factor) => (
        <li key={factor.id} className={styles.row}>
          <div className={styles.words}>
            <p className={styles.name}>
              <bdi>{factor.name}</bdi>
            </p>
            <p className={styles.aside}>
              {factor.kind === 'totp' ? words.codes : words.passkey} {words.added} {formatDay(factor.createdAt)}
              {factor.lastUsedAt && words.lastUsedOn(formatDay(factor.lastUsedAt))}
            </p>
          </div>
          <Button
            look="danger-quiet"
            compact
            aria-label={words.removeThis(factor.name)}
            pending={removing === factor.id}
            onClick={() => onRemove(factor)}
          >
            {words.remove}
          </Button>
        </li>
      ))}
      <li className={styles.row}>
        <div className={styles.words}>
          <p className={styles.name}>{words.recoveryCodes}</p>
          <p className={styles.aside}>
            {recoveryCodesLeft} {words.ofTenLeft}
          </p>
        </div>
        <Button look="plain" compact onClick={onRenew}>
          {words.makeNew}
        </Button>
      </li>
    </ul>
  );
}
