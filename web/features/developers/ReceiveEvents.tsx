import { useId } from 'react';
import { webhookEvents } from '#contract/webhooks.ts';
import { Code, Tabs } from './Code.tsx';
import styles from './Developers.module.css';
import python from './quick-start/receive-events.py?raw';
import typescript from './quick-start/receive-events.ts?raw';
import type { Language } from './samples.ts';
import { words } from './words.ts';

const programs = { TypeScript: typescript, Python: python };
const languages = ['TypeScript', 'Python'] as const;

/** How a program takes the events of a webhook, and knows that they are from here; a test runs it. */
export function ReceiveEvents({
  language,
  onLanguage,
}: {
  language: Language;
  onLanguage: (language: Language) => void;
}) {
  const heading = useId();
  const shown = language === 'Python' ? 'Python' : 'TypeScript';
  return (
    <section className={styles.part} id="webhooks" ref={showIfNamed} aria-labelledby={heading}>
      <h2 id={heading}>{words.receive}</h2>
      <p className={styles.aside}>{words.receiveLead}</p>
      <p className={styles.aside}>{words.receiveRules}</p>
      <p className={styles.aside}>
        {words.receiveEvents} {webhookEvents.join(', ')}.
      </p>
      <Tabs label={words.languages} values={languages} value={shown} onChange={onLanguage} />
      <Code label={`${words.receive}: ${shown}`} text={programs[shown].trimEnd()} />
    </section>
  );
}

/** The browser has looked for it before it was there. */
function showIfNamed(section: HTMLElement | null): void {
  if (section && window.location.hash === `#${section.id}`) section.scrollIntoView();
}
