import { plans, planWithMoreSeats } from '#contract/plans.ts';
import { useSession } from '#web/api/session.ts';
import type { Person } from '#web/api/team.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planTitles } from '#web/lib/price.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { peopleText, seatsTaken, seatsText } from './people.ts';
import styles from './Team.module.css';

/** How many of the plan's seats are taken, and when they are full what to do. */
export function Seats({ people }: { people: readonly Person[] | undefined }) {
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  const { entitlements, subscription } = session.session;
  const { seats } = entitlements;
  const taken = people ? seatsTaken(people) : subscription.seatsUsed;
  return (
    <div className={styles.seats}>
      <p>
        <strong>{seats === null ? 'Unlimited seats' : seatsText(taken, seats)}</strong>
        {people && <span className={styles.aside}>{peopleText(people)}</span>}
      </p>
      {seats !== null && <Progress label="Seats taken" done={taken} total={seats} />}
      {seats !== null && taken >= seats && (
        <Notice kind="info" title="All seats of your plan are taken">
          <PlansLink>{largerPlan(seats)}</PlansLink> to invite more people. Who is removed, and every invitation that is
          withdrawn or expires, gives a seat back.
        </Notice>
      )}
    </div>
  );
}

/** What to do about it: `Change to Professional (25 seats)`. */
function largerPlan(seats: number): string {
  const plan = planWithMoreSeats(seats);
  if (plan === null) return 'Choose a larger plan';
  return `Change to ${planTitles[plan]} (${plans[plan].seats?.toLocaleString() ?? 'unlimited'} seats)`;
}
