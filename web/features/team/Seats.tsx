import { plans, planWithMoreSeats } from '#contract/plans.ts';
import { useSession } from '#web/api/session.ts';
import type { Person } from '#web/api/team.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planTitles } from '#web/lib/price.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { peopleText, seatsTaken, seatsText } from './people.ts';
import styles from './Team.module.css';
import { words } from './words.ts';

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
        <strong>{seats === null ? words.unlimitedSeats : seatsText(taken, seats)}</strong>
        {people && <span className={styles.aside}>{peopleText(people)}</span>}
      </p>
      {seats !== null && <Progress label={words.seatsTaken} done={taken} total={seats} />}
      {seats !== null && taken >= seats && (
        <Notice kind="info" title={words.allSeatsTaken}>
          <PlansLink>{largerPlan(seats)}</PlansLink> {words.toInviteMore}
        </Notice>
      )}
    </div>
  );
}

/** What to do about it: `Change to Professional (25 seats)`. */
function largerPlan(seats: number): string {
  const plan = planWithMoreSeats(seats);
  if (plan === null) return words.largerPlan;
  return words.changeTo(planTitles[plan], plans[plan].seats);
}
