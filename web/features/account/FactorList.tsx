import type { AccountSecurity } from '#web/api/account-security.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/Button.tsx';
import styles from './Account.module.css';

export type Factor = AccountSecurity['secondFactor']['factors'][number];

interface FactorListProps extends Pick<AccountSecurity['secondFactor'], 'factors' | 'recoveryCodesLeft'> {
  /** The one that is being removed. */
  removing: string | undefined;
  onRemove: (factor: Factor) => void;
  onRenew: () => void;
}

export function FactorList({ factors, recoveryCodesLeft, removing, onRemove, onRenew }: FactorListProps) {
  return (
    <ul className={styles.list} aria-label="Second factors">
      {factors.map((factor) => (
        <li key={factor.id} className={styles.row}>
          <div className={styles.words}>
            <p className={styles.name}>
              <bdi>{factor.name}</bdi>
            </p>
            <p className={styles.aside}>
              {factor.kind === 'totp' ? 'Codes' : 'Passkey'} · added {formatDay(factor.createdAt)}
              {factor.lastUsedAt && ` · last used ${formatDay(factor.lastUsedAt)}`}
            </p>
          </div>
          <Button
            look="danger-quiet"
            compact
            aria-label={`Remove ${factor.name}`}
            pending={removing === factor.id}
            onClick={() => onRemove(factor)}
          >
            Remove
          </Button>
        </li>
      ))}
      <li className={styles.row}>
        <div className={styles.words}>
          <p className={styles.name}>Recovery codes</p>
          <p className={styles.aside}>{recoveryCodesLeft} of 10 left</p>
        </div>
        <Button look="plain" compact onClick={onRenew}>
          Make new ones
        </Button>
      </li>
    </ul>
  );
}
