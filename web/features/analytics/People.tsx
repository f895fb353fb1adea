import { useQuery } from '@tanstack/react-query';
import { type AnalyticsRange, type Asker, askersQuery } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import styles from './Analytics.module.css';
import { Askers, askerName } from './Tables.tsx';
import { words } from './words.ts';

/** Who asked in a range. */
export function People({ range, onChoose }: { range: AnalyticsRange; onChoose: (who: Asker) => void }) {
  const { data, error, refetch } = useQuery(askersQuery(range));
  if (error && !data) return <LoadFailed retry={refetch}>{messageOf(error, words.peopleNotLoaded)}</LoadFailed>;
  return <Askers people={data?.people} onChoose={onChoose} />;
}

/** Says whose questions alone the page is about. */
export function OnlyPerson({
  range,
  userId,
  onEveryone,
}: {
  range: AnalyticsRange;
  userId: string;
  onEveryone: () => void;
}) {
  const { data } = useQuery(askersQuery(range));
  const person = data?.people.find((each) => each.userId === userId);
  return (
    <p className={styles.only}>
      <span>
        {words.onlyWhat} <bdi>{person ? askerName(person) : words.onePerson}</bdi> asked
      </span>
      <TextButton onClick={onEveryone}>{words.showEveryone}</TextButton>
    </p>
  );
}
