import { useSession } from '#web/api/session.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from './people.ts';
import styles from './Team.module.css';

const reasonId = 'team-tools-locked';

/** Whether the plan has roles, inviting many and last sign-ins; where not, `reasonId` is where the page says so. */
export function useTeamTools(): { unlocked: boolean; reasonId: string } {
  const session = useSession();
  const features = session.state === 'signed-in' ? session.session.entitlements.features : [];
  return { unlocked: features.includes('team-management'), reasonId };
}

/** Says once on the page what is locked, and which plan has it. */
export function TeamToolsLocked() {
  const { unlocked } = useTeamTools();
  if (unlocked) return null;
  return (
    <p id={reasonId} className={styles.locked}>
      <Lock /> Roles, last sign-ins and inviting many at once are part of the {planNameWith('team-management')} plan.{' '}
      <PlansLink>See the plans</PlansLink>
    </p>
  );
}

/** Stands beside what the plan does not have. */
export function Lock() {
  return (
    <svg
      width="12"
      height="14"
      viewBox="0 0 12 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      aria-hidden="true"
    >
      <rect x="1" y="6" width="10" height="7" rx="1.5" />
      <path d="M3.5 6V4a2.5 2.5 0 0 1 5 0v2" />
    </svg>
  );
}
