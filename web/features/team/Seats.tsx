import { Link } from 'react-router';
import { useSession } from '#web/api/session.ts';
import type { Person } from '#web/api/team.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { hasExpired, seatsTaken, seatsText } from './people.ts';
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
        {people && <span className={styles.aside}>{whoTakesThem(people)}</span>}
      </p>
      {seats !== null && <Progress label="Seats taken" done={taken} total={seats} />}
      {seats !== null && taken >= seats && (
        <Notice kind="info" title="All seats of your plan are taken">
          <Link to="/pricing">Choose a larger plan</Link> to invite more people. Who is removed, and every invitation
          that is withdrawn or expires, gives a seat back.
        </Notice>
      )}
    </div>
  );
}

function whoTakesThem(people: readonly Person[]): string {
  const active = people.filter(({ state }) => state === 'active').length;
  const invited = people.filter((person) => person.state !== 'active' && !hasExpired(person)).length;
  const persons = seatsText(active, null);
  if (invited === 0) return persons;
  return `${persons} · ${invited === 1 ? '1 open invitation' : `${invited.toLocaleString()} open invitations`}`;
}
