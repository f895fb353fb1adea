import type { AgentSettings, AnswerLanguage } from '#contract/agent.ts';

/** What the company decides about how answers are written. */
export type AnswerStyle = Pick<AgentSettings, 'name' | 'instructions' | 'tone' | 'length'> & {
  /** Null: the question's. */
  language: AnswerLanguage | null;
};

export const usualStyle: AnswerStyle = {
  name: '',
  instructions: '',
  tone: 'neutral',
  length: 'medium',
  language: null,
};

const lengths: Record<AnswerStyle['length'], string> = {
  short: 'Be very short: one sentence, two where one does not do.',
  medium: 'Be short: a few sentences or a list.',
  detailed: 'Be thorough: say all that the passages say about it, in paragraphs or lists.',
};
const tones: Record<AnswerStyle['tone'], string> = {
  neutral: '',
  friendly: ' Write in a friendly tone, as to a colleague.',
  formal: ' Write in a formal tone.',
};
const names: Record<AnswerLanguage, string> = { en: 'English', de: 'German', fr: 'French', es: 'Spanish' };

/** The line of the prompt that says how long, in which tone and language. */
export function styleLine({ tone, length, language }: AnswerStyle): string {
  const inWhich =
    language === null ? 'the language of the question' : `${names[language]}, whatever the question is in`;
  return `${lengths[length]}${tones[tone]} Answer in ${inWhich}.`;
}
