import styles from './InviteMany.module.css';
import type { PastedAddresses } from './parse-addresses.ts';

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
    { name: 'Not recognised', words: unrecognised, kind: 'bad' },
    { name: 'To invite', words: wanted, kind: 'good' },
    { name: 'More than once, invited once', words: duplicates, kind: 'plain' },
    { name: 'Already in your team', words: present, kind: 'plain' },
  ].filter(({ words }) => words.length > 0);
  return (
    <dl className={styles.preview} aria-label="What was recognised">
      {groups.map(({ name, words, kind }) => (
        <div key={name} data-kind={kind}>
          <dt>
            {name} <span className={styles.count}>{words.length.toLocaleString()}</span>
          </dt>
          <dd>
            {words.slice(0, shown).map((word) => (
              <bdi key={word}>{word}</bdi>
            ))}
            {words.length > shown && <span>and {(words.length - shown).toLocaleString()} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const shown = 50;
