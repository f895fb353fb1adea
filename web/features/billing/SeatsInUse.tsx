import { Link } from 'react-router';
import type { AppError } from '#contract/errors.ts';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Billing.module.css';
import { words } from './words.ts';

/** Why a smaller plan is refused: who has its seats, and where some can be freed. */
export function SeatsInUse({ problem }: { problem: AppError }) {
  const people = Array.isArray(problem.details.people) ? problem.details.people.map(String) : [];
  return (
    <Notice kind="problem">
      {problem.message} <Link to="/admin/team">{words.openTeam}</Link>
      <ul className={styles.seated} aria-label={words.whoHasSeats}>
        {people.map((email) => (
          <li key={email}>{email}</li>
        ))}
      </ul>
    </Notice>
  );
}
