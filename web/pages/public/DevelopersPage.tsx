import { useDeferredValue, useId, useState } from 'react';
import { mayBeSignedIn, useSession } from '#web/api/session.ts';
import { CallPart } from '#web/features/developers/CallPart.tsx';
import { Tabs } from '#web/features/developers/Code.tsx';
import { CommandLine } from '#web/features/developers/CommandLine.tsx';
import { Connect } from '#web/features/developers/Connect.tsx';
import styles from '#web/features/developers/Developers.module.css';
import { type Api, api } from '#web/features/developers/document.ts';
import { QuickStart, WholeFolder } from '#web/features/developers/QuickStart.tsx';
import { ReceiveEvents } from '#web/features/developers/ReceiveEvents.tsx';
import { type Language, languages } from '#web/features/developers/samples.ts';
import { words } from '#web/features/developers/words.ts';
import { planNameWith } from '#web/lib/price.ts';
import { useStore } from '#web/lib/store.ts';
import { useTitle } from '#web/lib/title.ts';
import { PasswordField } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Filter } from '#web/ui/Section.tsx';

/** What a program can do, how, and a place to try it: for everybody, like the document that it shows. */
export function DevelopersPage() {
  useTitle(words.title);
  const [language, setLanguage] = useState<Language>('curl');
  const [apiKey, setApiKey] = useState('');
  const now = useStore(api);
  const shown = { language, apiKey: apiKey.trim() };
  return (
    <div className={styles.page}>
      <h1>{words.title}</h1>
      <p className={styles.lead}>{words.lead}</p>
      <p className={styles.aside}>
        {words.planBefore} {planNameWith('api-keys')} {words.planAfter} <a href="/openapi.json">{words.document}</a>
      </p>
      <KeyPart apiKey={apiKey} onChange={setApiKey} />
      <QuickStart {...shown} url={window.location.origin} onLanguage={setLanguage} />
      <WholeFolder {...shown} url={window.location.origin} onLanguage={setLanguage} />
      <CommandLine url={window.location.origin} />
      <ReceiveEvents language={language} onLanguage={setLanguage} />
      <Connect url={window.location.origin} apiKey={shown.apiKey} />
      {now.state === 'ready' ? (
        <Calls api={now.data} {...shown} onLanguage={setLanguage} />
      ) : now.state === 'failed' ? (
        <LoadFailed retry={api.reload}>{words.notLoaded}</LoadFailed>
      ) : (
        <LoadingPart shape="page" />
      )}
    </div>
  );
}

function KeyPart({ apiKey, onChange }: { apiKey: string; onChange: (key: string) => void }) {
  const heading = useId();
  const session = useSession();
  const isIn = session.state === 'signed-in' || (session.state === 'loading' && mayBeSignedIn());
  const isAdmin = session.state === 'signed-in' && session.session.user.role === 'admin';
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{words.keyHeading}</h2>
      <PasswordField
        label={words.key}
        hint={words.keyHint}
        value={apiKey}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      <p className={styles.ways}>
        <a href={isIn ? '/account/security' : '/login'}>{isIn ? words.makeOwn : words.signIn}</a>
        {isAdmin && <a href="/admin/settings/api-keys">{words.makeCompanys}</a>}
      </p>
    </section>
  );
}

function Calls({
  api: { url, sections },
  language,
  apiKey,
  onLanguage,
}: {
  api: Api;
  language: Language;
  apiKey: string;
  onLanguage: (language: Language) => void;
}) {
  const heading = useId();
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed).toLowerCase().split(/\s+/).filter(Boolean);
  const [named] = useState(() => window.location.hash.slice(1));
  const found = sections
    .map((section) => ({
      ...section,
      calls: section.calls.filter(({ name, summary, errors }) => {
        const text = [name, section.name, summary, ...errors.map(({ code }) => code)].join(' ').toLowerCase();
        return wanted.every((word) => text.includes(word));
      }),
    }))
    .filter(({ calls }) => calls.length > 0);
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{words.calls}</h2>
      <p className={styles.aside}>{words.callsLead}</p>
      <div className={styles.tools}>
        <Filter label={words.search} value={typed} onChange={setTyped} />
        <Tabs label={words.languages} values={languages} value={language} onChange={onLanguage} />
      </div>
      {found.length === 0 && <p role="status">{words.none}</p>}
      {found.map(({ name, about, calls }) => (
        <section key={name} className={styles.section}>
          <h3>{name}</h3>
          <p className={styles.aside}>{about}</p>
          {calls.map((call) => (
            <CallPart key={call.name} {...{ call, url, language, apiKey }} named={call.name === named} />
          ))}
        </section>
      ))}
    </section>
  );
}
