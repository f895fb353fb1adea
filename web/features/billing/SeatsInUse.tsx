import { Link } from 'react-router';
import type { AppError } from '#contract/errors.ts';
import { useTeam } from '#web/api/team.ts';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Billing.module.css';

/** Why a smaller plan is refused: who has its seats, and where some can be freed. */
export function SeatsInUse({ problem }: { problem: AppError }) {
  const { data = [] } = useTeam();
  const seated = data.filter(({ state }) => state !== 'expired');
  return (
    <Notice kind="problem" title={problem.message}>
      <Link to="/admin/team">Remove people or withdraw invitations</Link> first. These have a seat:
      <ul className={styles.seated}>
        {seated.map(({ uid, email }) => (
          <li key={uid}>{email}</li>
        ))}
      </ul>
    </Notice>
  );
}
