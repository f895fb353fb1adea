import { useId } from 'react';
import { Code, Tabs } from './Code.tsx';
import styles from './Developers.module.css';
import python from './quick-start/quick-start.py?raw';
import bash from './quick-start/quick-start.sh?raw';
import typescript from './quick-start/quick-start.ts?raw';
import folderPython from './quick-start/whole-folder.py?raw';
import folderBash from './quick-start/whole-folder.sh?raw';
import folderTypescript from './quick-start/whole-folder.ts?raw';
import { type Language, languages } from './samples.ts';
import { words } from './words.ts';

const quickStart: Record<Language, string> = { curl: bash, TypeScript: typescript, Python: python };
const wholeFolder: Record<Language, string> = { curl: folderBash, TypeScript: folderTypescript, Python: folderPython };

interface Shown {
  /** Where the service is. */
  url: string;
  language: Language;
  apiKey: string;
  onLanguage: (language: Language) => void;
}

/** From a key to an opened citation, in one file; the same files are run by a test. */
export function QuickStart(shown: Shown) {
  return <Program {...shown} heading={words.quickStart} lead={words.quickStartLead} programs={quickStart} />;
}

/** The same of many files and many questions, as a program goes about it that runs for a while. */
export function WholeFolder(shown: Shown) {
  return <Program {...shown} heading={words.wholeFolder} lead={words.wholeFolderLead} programs={wholeFolder} />;
}

function Program({
  heading,
  lead,
  programs,
  url,
  language,
  apiKey,
  onLanguage,
}: Shown & { heading: string; lead: string; programs: Record<Language, string> }) {
  const id = useId();
  const program = programs[language]
    .replaceAll('https://footnote.example', url)
    .replaceAll('fn_...', apiKey || 'fn_...');
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p className={styles.aside}>{lead}</p>
      <Tabs label={words.languages} values={languages} value={language} onChange={onLanguage} />
      <Code label={`${heading}: ${language}`} text={program.trimEnd()} />
    </section>
  );
}
