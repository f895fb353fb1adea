import {
  type AgentSettings,
  type AnswerLanguage,
  type AnswerLength,
  type AnswerMode,
  agentBounds,
  answerLanguages,
  type Tone,
} from '#contract/agent.ts';

export const modeChoices: { value: AnswerMode; label: string; hint: string }[] = [
  { value: 'written', label: 'Written', hint: 'A language model writes the answer, and every statement is checked.' },
  { value: 'quotes', label: 'Quotes', hint: 'The best sentences and rows of your documents, word for word.' },
];

export const lengthChoices: { value: AnswerLength; label: string; hint: string }[] = [
  { value: 'short', label: 'Short', hint: 'A sentence or two; of quotes the best one.' },
  { value: 'medium', label: 'Medium', hint: 'A few sentences or a list; up to three quotes.' },
  { value: 'detailed', label: 'Detailed', hint: 'All that was found, also what only comes near.' },
];

export const toneChoices: { value: Tone; label: string }[] = [
  { value: 'neutral', label: 'Neutral' },
  { value: 'friendly', label: 'Friendly' },
  { value: 'formal', label: 'Formal' },
];

const languageNames: Record<AnswerLanguage, string> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
};

export const languageChoices = answerLanguages.map((value) => ({ value, label: languageNames[value] }));

/** The settings' names in a list of what has changed. */
const names: Record<keyof AgentSettings, string> = {
  name: 'name',
  greeting: 'greeting',
  instructions: 'instructions',
  tone: 'tone',
  length: 'length',
  mode: 'mode',
  languages: 'languages',
  examples: 'example questions',
  notFound: 'what is said when nothing is found',
  contact: 'whom to ask',
};

/** `greeting and tone`; nothing where nothing did. */
export function changedText(changed: readonly string[]): string {
  const known = new Map<string, string>(Object.entries(names));
  const parts = changed.map((each) => known.get(each) ?? each);
  return parts.length === 0 ? 'nothing changed' : new Intl.ListFormat('en').format(parts);
}

/** As they are sent: without blanks around what is typed, and without empty examples. */
export function tidy(settings: AgentSettings): AgentSettings {
  const { name, greeting, instructions, examples, notFound, contact } = settings;
  return {
    ...settings,
    name: name.trim(),
    greeting: greeting.trim(),
    instructions: instructions.trim(),
    examples: [...new Set(examples.map((each) => each.trim()).filter((each) => each !== ''))],
    notFound: notFound.trim(),
    contact: contact.trim(),
  };
}

/** The examples with an empty line for each that may still come. */
export function exampleLines(examples: readonly string[]): string[] {
  return Array.from({ length: agentBounds.examples }, (_, i) => examples[i] ?? '');
}

/** Whether saving the one would change the other. */
export function differ(one: AgentSettings, other: AgentSettings): boolean {
  const comparable = (settings: AgentSettings) => JSON.stringify(Object.entries(tidy(settings)).sort());
  return comparable(one) !== comparable(other);
}
