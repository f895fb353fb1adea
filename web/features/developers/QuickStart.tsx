import { useId } from 'react';
import { Code, Tabs } from './Code.tsx';
import styles from './Developers.module.css';
import python from './quick-start/quick-start.py?raw';
import bash from './quick-start/quick-start.sh?raw';
import typescript from './quick-start/quick-start.ts?raw';
import { type Language, languages } from './samples.ts';
import { words } from './words.ts';

const programs: Record<Language, string> = { curl: bash, TypeScript: typescript, Python: python };

/** From a key to an opened citation, in one file; the same files are run by a test. */
export function QuickStart({
  url,
  language,
  apiKey,
  onLanguage,
}: {
  /** Where the service is. */
  url: string;
  language: Language;
  apiKey: string;
  onLanguage: (language: Language) => void;
}) {
  const heading = useId();
  const program = programs[language]
    .replaceAll('https://footnote.example', url)
    .replaceAll('fn_...', apiKey || 'fn_...');
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{words.quickStart}</h2>
      <p className={styles.aside}>{words.quickStartLead}</p>
      <Tabs label={words.languages} values={languages} value={language} onChange={onLanguage} />
      <Code label={`${words.quickStart}: ${language}`} text={program.trimEnd()} />
    </section>
  );
}
