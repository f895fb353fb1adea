import type { AgentSettings, AnswerLanguage } from '#contract/agent.ts';
import { agentBounds, answerLanguages, usualAgentName } from '#contract/agent.ts';
import { ChooseOne, ChooseSome } from '#web/ui/Choices.tsx';
import { Field, Select, TextArea } from '#web/ui/Field.tsx';
import styles from './Agent.module.css';
import { exampleLines, languageChoices, lengthChoices, modeChoices, toneChoices } from './settings-words.ts';

export interface AgentFormProps {
  settings: AgentSettings;
  /** Null: the operator has no language model. */
  model: string | null;
  onChange: (changes: Partial<AgentSettings>) => void;
}

/** Everything that a company decides about its assistant. */
export function AgentForm({ settings, model, onChange }: AgentFormProps) {
  const isWritten = model !== null && settings.mode === 'written';
  const onlyWritten = isWritten ? '' : ' Counts for written answers only.';
  const examples = exampleLines(settings.examples);
  return (
    <>
      <h2>In the chat</h2>
      <Field
        label="Name"
        dir="auto"
        maxLength={agentBounds.name}
        placeholder={usualAgentName}
        value={settings.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextArea
        label="Greeting"
        hint="What an empty chat says. Empty, it is our own greeting."
        rows={3}
        maxLength={agentBounds.greeting}
        value={settings.greeting}
        onChange={({ target }) => onChange({ greeting: target.value })}
      />
      <fieldset className={styles.lines}>
        <legend>Example questions</legend>
        <p>Offered in an empty chat. Free places are filled with questions made from your documents.</p>
        {examples.map((example, i) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the places stay, whatever is written in them
            key={i}
            className={styles.line}
            dir="auto"
            aria-label={`Example question ${i + 1}`}
            maxLength={agentBounds.example}
            value={example}
            onChange={({ target }) =>
              onChange({ examples: examples.map((each, place) => (place === i ? target.value : each)) })
            }
          />
        ))}
      </fieldset>

      <h2>Answers</h2>
      {model === null ? (
        <p className={styles.note}>
          Answers are quotes from your documents: whoever runs this service has not connected a language model.
        </p>
      ) : (
        <ChooseOne
          legend="How answers are made"
          hint={`The language model is ${model}.`}
          choices={modeChoices}
          value={settings.mode}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      <ChooseOne
        legend="Length"
        choices={lengthChoices}
        value={settings.length}
        onChange={(length) => onChange({ length })}
      />
      <Languages languages={settings.languages} onChange={(languages) => onChange({ languages })} />
      <Select
        label="Tone"
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
        label="Standing instructions"
        hint={`For every answer: what to call things, what to mention, what to leave out. Every statement keeps its source, whatever stands here.${onlyWritten} ${settings.instructions.length.toLocaleString()} of ${agentBounds.instructions.toLocaleString()} characters.`}
        rows={6}
        maxLength={agentBounds.instructions}
        value={settings.instructions}
        onChange={({ target }) => onChange({ instructions: target.value })}
      />

      <h2>When nothing is found</h2>
      <TextArea
        label="What is said"
        hint="Empty, it is our own sentence. What your documents lack is said behind it."
        rows={3}
        maxLength={agentBounds.notFound}
        value={settings.notFound}
        onChange={({ target }) => onChange({ notFound: target.value })}
      />
      <Field
        label="Whom to ask"
        dir="auto"
        hint="An email, a web address, or words such as “the front desk”."
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
        legend="Languages of the answers"
        hint="None chosen: the language of the question. Quotes stay in the language of the document."
        choices={languageChoices}
        values={languages}
        onChange={onChange}
      />
      {others.length > 0 && (
        <Select
          label="Questions in any other language are answered in"
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
