import type { AgentSettings, AnswerLanguage } from '#contract/agent.ts';
import { agentBounds, answerLanguages, usualAgentName } from '#contract/agent.ts';
import { ChooseOne, ChooseSome } from '#web/ui/Choices.tsx';
import { Field, Select, TextArea } from '#web/ui/Field.tsx';
import styles from './Agent.module.css';
import { exampleLines, languageChoices, lengthChoices, modeChoices, toneChoices } from './settings-words.ts';
import { words } from './words.ts';

export interface AgentFormProps {
  settings: AgentSettings;
  /** Null: the operator has no language model. */
  model: string | null;
  onChange: (changes: Partial<AgentSettings>) => void;
}

/** Everything that a company decides about its assistant. */
export function AgentForm({ settings, model, onChange }: AgentFormProps) {
  const isWritten = model !== null && settings.mode === 'written';
  const onlyWritten = isWritten ? '' : words.onlyWritten;
  const examples = exampleLines(settings.examples);
  return (
    <>
      <h2>{words.inChat}</h2>
      <Field
        label={words.name}
        dir="auto"
        maxLength={agentBounds.name}
        placeholder={usualAgentName}
        value={settings.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextArea
        label={words.greeting}
        hint={words.greetingHint}
        rows={3}
        maxLength={agentBounds.greeting}
        value={settings.greeting}
        onChange={({ target }) => onChange({ greeting: target.value })}
      />
      <fieldset className={styles.lines}>
        <legend>{words.examples}</legend>
        <p>{words.examplesHint}</p>
        {examples.map((example, i) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the places stay, whatever is written in them
            key={i}
            className={styles.line}
            dir="auto"
            aria-label={words.example(i + 1)}
            maxLength={agentBounds.example}
            value={example}
            onChange={({ target }) =>
              onChange({ examples: examples.map((each, place) => (place === i ? target.value : each)) })
            }
          />
        ))}
      </fieldset>

      <h2>{words.answers}</h2>
      {model === null ? (
        <p className={styles.note}>{words.noModel}</p>
      ) : (
        <ChooseOne
          legend={words.howMade}
          hint={words.modelIs(model)}
          choices={modeChoices}
          value={settings.mode}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      <ChooseOne
        legend={words.length}
        choices={lengthChoices}
        value={settings.length}
        onChange={(length) => onChange({ length })}
      />
      <Languages languages={settings.languages} onChange={(languages) => onChange({ languages })} />
      <Select
        label={words.tone}
        hint={onlyWritten.trim() || undefined}
        value={settings.tone}
        onChange={(value) => {
          const chosen = toneChoices.find((each) => each.value === value);
          if (chosen) onChange({ tone: chosen.value });
        }}
      >
        {toneChoices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        label={words.instructions}
        hint={words.instructionsHint(onlyWritten, settings.instructions.length, agentBounds.instructions)}
        rows={6}
        maxLength={agentBounds.instructions}
        value={settings.instructions}
        onChange={({ target }) => onChange({ instructions: target.value })}
      />

      <h2>{words.nothingFound}</h2>
      <TextArea
        label={words.whatIsSaid}
        hint={words.whatIsSaidHint}
        rows={3}
        maxLength={agentBounds.notFound}
        value={settings.notFound}
        onChange={({ target }) => onChange({ notFound: target.value })}
      />
      <Field
        label={words.whomToAsk}
        dir="auto"
        hint={words.whomToAskHint}
        maxLength={agentBounds.contact}
        value={settings.contact}
        onChange={({ target }) => onChange({ contact: target.value })}
      />
    </>
  );
}

function Languages({
  languages,
  onChange,
}: {
  languages: readonly AnswerLanguage[];
  onChange: (languages: AnswerLanguage[]) => void;
}) {
  const [first, ...others] = languages;
  return (
    <>
      <ChooseSome
        legend={words.languages}
        hint={words.languagesHint}
        choices={languageChoices}
        values={languages}
        onChange={onChange}
      />
      {others.length > 0 && (
        <Select
          label={words.otherLanguages}
          value={first ?? 'en'}
          onChange={(value) => {
            const usual = answerLanguages.find((each) => each === value);
            if (usual) onChange([usual, ...languages.filter((each) => each !== usual)]);
          }}
        >
          {languageChoices
            .filter(({ value }) => languages.includes(value))
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </Select>
      )}
    </>
  );
}
