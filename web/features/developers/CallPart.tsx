import { useState } from 'react';
import { planNameWith } from '#web/lib/price.ts';
import { Code } from './Code.tsx';
import styles from './Developers.module.css';
import type { Shape, Told } from './document.ts';
import { type Language, sampleOf } from './samples.ts';
import { isNothing, shapeLines } from './shape-lines.ts';
import { TryIt } from './TryIt.tsx';
import { words } from './words.ts';

interface CallPartProps {
  call: Told;
  url: string;
  language: Language;
  apiKey: string;
  /** Whether the address names it. */
  named: boolean;
}

/** One call: closed a line, open all that there is to know. */
export function CallPart({ call, url, language, apiKey, named }: CallPartProps) {
  const [isOpen, setIsOpen] = useState(named);
  return (
    <details
      className={styles.call}
      id={call.name}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.name}>{call.name}</span>
        <span className={styles.aside}>{call.summary}</span>
      </summary>
      {/* A hundred of them are not drawn before somebody looks. */}
      {isOpen && <Opened call={call} url={url} language={language} apiKey={apiKey} />}
    </details>
  );
}

function Opened({ call, url, language, apiKey }: Omit<CallPartProps, 'named'>) {
  const data = call.example?.input ?? null;
  return (
    <div className={styles.opened}>
      <p className={styles.facts}>
        {call.scope === null ? words.noKeys : words.scope(call.scope)}
        {call.access === 'admin' && ` · ${words.admins}`}
        {call.feature !== null && ` · ${words.plan(planNameWith(call.feature))}`}
      </p>
      {call.scope !== null && (
        <Code
          label={`${language}: ${call.name}`}
          text={sampleOf(language, { url, name: call.name, data, key: apiKey })}
        />
      )}
      <Fields heading={words.input} shape={call.input} />
      <Fields heading={words.output} shape={call.output} />
      {call.message && <Fields heading={words.messages} shape={call.message} />}
      {call.example && (
        <Code
          label={`${words.example}: ${call.name}`}
          text={JSON.stringify({ result: call.example.output }, null, 2)}
        />
      )}
      {call.errors.length > 0 && (
        <section>
          <h4>{words.errors}</h4>
          <dl className={styles.fields}>
            {call.errors.map(({ code, http, message }) => (
              <div key={code}>
                <dt>
                  <code>{code}</code> <span className={styles.type}>{http}</span>
                </dt>
                <dd>{message}</dd>
              </div>
            ))}
          </dl>
          <p className={styles.aside}>{words.errorsLead}</p>
        </section>
      )}
      {call.scope !== null && <TryIt call={call} apiKey={apiKey} />}
    </div>
  );
}

function Fields({ heading, shape }: { heading: string; shape: Shape }) {
  return (
    <section>
      <h4>{heading}</h4>
      {isNothing(shape) ? (
        <p className={styles.aside}>{words.nothing}</p>
      ) : (
        <dl className={styles.fields}>
          {shapeLines(shape).map(({ path, type, required, about }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have fields of the same name
            <div key={index}>
              <dt>
                {path !== '' && <code>{path}</code>}{' '}
                <span className={styles.type}>
                  {type}
                  {required && path !== '' && `, ${words.required}`}
                </span>
              </dt>
              {about !== '' && <dd>{about}</dd>}
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
