import styles from './InviteMany.module.css';
import type { PastedAddresses } from './parse-addresses.ts';
import { words } from './words.ts';

/** What was understood of a pasted list, before anything is sent. */
export function ListPreview({
  wanted,
  present,
  parsed: { duplicates, unrecognised },
}: {
  wanted: readonly string[];
  present: readonly string[];
  parsed: PastedAddresses;
}) {
  const groups = [
    // What needs seeing to comes first.
    { name: words.notRecognised, list: unrecognised, kind: 'bad' },
    { name: words.toInvite, list: wanted, kind: 'good' },
    { name: words.duplicates, list: duplicates, kind: 'plain' },
    { name: words.alreadyMembers, list: present, kind: 'plain' },
  ].filter(({ list }) => list.length > 0);
  return (
    <dl className={styles.preview} aria-label={words.recognised}>
      {groups.map(({ name, list, kind }) => (
        <div key={name} data-kind={kind}>
          <dt>
            {name} <span className={styles.count}>{list.length.toLocaleString()}</span>
          </dt>
          <dd>
            {list.slice(0, shown).map((word) => (
              <bdi key={word}>{word}</bdi>
            ))}
            {list.length > shown && <span>{words.andMore(list.length - shown)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const shown = 50;
