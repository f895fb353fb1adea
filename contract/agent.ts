/** What companies decide about their assistant. Browser and server read the same bounds. */

export const tones = ['neutral', 'friendly', 'formal'] as const;
export type Tone = (typeof tones)[number];

export const answerLengths = ['short', 'medium', 'detailed'] as const;
export type AnswerLength = (typeof answerLengths)[number];

/** `written` needs a language model of the operator's; without one answers are quotes whatever is chosen. */
export const answerModes = ['written', 'quotes'] as const;
export type AnswerMode = (typeof answerModes)[number];

/** What our own sentences in answers exist in, and what a company may limit its answers to. */
export const answerLanguages = ['en', 'de', 'fr', 'es'] as const;
export type AnswerLanguage = (typeof answerLanguages)[number];

/** Characters (UTF-16 code units), and of examples their number. */
export const agentBounds = {
  name: 40,
  greeting: 500,
  instructions: 2000,
  examples: 4,
  example: 200,
  notFound: 500,
  contact: 200,
  /** A question that settings are tried with. */
  trial: 1000,
} as const;

export interface AgentSettings {
  /** What it is called; empty: by its usual name. */
  name: string;
  /** What an empty chat says; empty: the usual greeting. */
  greeting: string;
  /** The company's wishes for written answers, below our own rules. */
  instructions: string;
  tone: Tone;
  length: AnswerLength;
  mode: AnswerMode;
  /** Answers are in the question's language if that is one of these, else in the first; empty: in the question's. */
  languages: AnswerLanguage[];
  /** Questions that an empty chat offers before those made from the documents. */
  examples: string[];
  /** Said in place of ours where the documents do not answer; empty: ours. */
  notFound: string;
  /** Whom to ask then: an e-mail, an address, or words. Empty: nobody. */
  contact: string;
}

export const usualAgent: AgentSettings = {
  name: '',
  greeting: '',
  instructions: '',
  tone: 'neutral',
  length: 'medium',
  mode: 'written',
  languages: [],
  examples: [],
  notFound: '',
  contact: '',
};

/** What the assistant is called where a company has given it no name. */
export const usualAgentName = 'AI Assistant';
