import { Link } from 'react-router';
import { useSession } from '#web/api/session.ts';
import type { Person } from '#web/api/team.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { hasExpired, seatsTaken, seatsText } from './people.ts';
import styles from './Team.module.css';

/** How many of the plan's seats are taken, and when they are full what to do. */
export function Seats({ people }: { people: readonly Person[] }) {
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  const { seats } = session.session.entitlements;
  const taken = seatsTaken(people);
  const active = people.filter(({ state }) => state === 'active').length;
  const invited = people.filter((person) => person.state !== 'active' && !hasExpired(person)).length;
  return (
    <div className={styles.seats}>
      <p>
        <strong>{seats === null ? 'Unlimited seats' : seatsText(taken, seats)}</strong>
        <span className={styles.aside}>
          {seatsText(active, null)}
          {invited > 0 && ` · ${invited === 1 ? '1 open invitation' : `${invited.toLocaleString()} open invitations`}`}
        </span>
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
