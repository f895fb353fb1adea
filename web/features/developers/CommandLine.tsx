import { useId } from 'react';
import { Code } from './Code.tsx';
import styles from './Developers.module.css';
import { words } from './words.ts';

/** The file as it is in the repository; a test runs it. */
const program = new URL('../../../scripts/footnote.mjs', import.meta.url).href;

/** What needs no program of one's own. */
export function CommandLine({ url }: { url: string }) {
  const heading = useId();
  const commands = [
    `node footnote.mjs sign-in --url ${url}`,
    'node footnote.mjs upload ./contracts --wait',
    'node footnote.mjs ask "Who may sign?"',
    'node footnote.mjs help',
  ];
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{words.commandLine}</h2>
      <p className={styles.aside}>{words.commandLineLead}</p>
      <p className={styles.ways}>
        <a href={program} download="footnote.mjs">
          {words.download}
        </a>
      </p>
      <Code label={`${words.commandLine}: ${words.commands}`} text={commands.join('\n')} />
    </section>
  );
}
