import { useId, useState } from 'react';
import { Code, Tabs } from './Code.tsx';
import { type Assistant, assistants, settingsFor } from './connect.ts';
import styles from './Developers.module.css';
import { words } from './words.ts';

/** How an assistant elsewhere gets at the documents, by MCP and with a key. */
export function Connect({ url, apiKey }: { url: string; apiKey: string }) {
  const heading = useId();
  const [assistant, setAssistant] = useState<Assistant>(assistants[0]);
  const { where, text } = settingsFor(assistant, { url, apiKey });
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{words.connect}</h2>
      <p className={styles.aside}>{words.connectLead}</p>
      <Tabs label={words.assistants} values={assistants} value={assistant} onChange={setAssistant} />
      <p className={styles.aside}>{where}</p>
      <Code label={`${words.connect}: ${assistant}`} text={text} />
    </section>
  );
}
