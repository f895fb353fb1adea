import { z } from 'zod';
import { agentBounds, answerLanguages, answerLengths, answerModes, tones } from '../agent.ts';
import { defineCall } from '../call.ts';
import { query } from './answers.ts';

const none = z.null().or(z.object({}).strict());
/** One line, without what turns the reading direction. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .normalize()
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u);
/** Any text that the database can hold. */
const words = (max: number) =>
  z
    .string()
    .trim()
    .normalize()
    .max(max)
    .regex(/^[^\0]*$/);

export const agentSettings = z
  .object({
    /** Empty: by its usual name. */
    name: line(agentBounds.name),
    /** Empty: the usual greeting. */
    greeting: words(agentBounds.greeting),
    /** The company's wishes for written answers, below our own rules: they can't switch citations off. */
    instructions: words(agentBounds.instructions),
    tone: z.enum(tones),
    length: z.enum(answerLengths),
    /** `written` counts only where the operator has a language model. */
    mode: z.enum(answerModes),
    /** In the question's language if it is one of these, else in the first; empty: in the question's. */
    languages: z
      .array(z.enum(answerLanguages))
      .max(answerLanguages.length)
      .refine((all) => new Set(all).size === all.length, { message: 'A language stands there twice.' }),
    /** Offered by an empty chat, before the questions that are made from documents. */
    examples: z.array(line(agentBounds.example).min(1)).max(agentBounds.examples),
    /** Said where the documents do not answer; empty: our own words. */
    notFound: words(agentBounds.notFound),
    /** Whom to ask then: an e-mail, an address, or words. */
    contact: line(agentBounds.contact),
  })
  .strict();

const version = z.object({
  version: z.number().int().positive(),
  savedAt: z.iso.datetime(),
  /** The e-mail of who saved it, as it was then. */
  savedBy: z.string(),
  /** Which settings are others than in the version before. */
  changed: z.array(z.string()),
  /** The version that was gone back to. */
  restoredFrom: z.number().int().optional(),
});

const chatAgent = z.object({
  /** 0: never saved, so that everything is as usual. */
  version: z.number().int(),
  settings: agentSettings,
  /** The language model that writes answers; null: the operator has none, and answers are quotes. */
  model: z.string().nullable(),
  /** Newest first; the last 50. */
  versions: z.array(version),
});

export const getChatAgent = defineCall({
  summary: 'How the assistant answers, and the versions of it that were saved.',
  input: none,
  output: chatAgent,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const saveChatAgent = defineCall({
  summary: 'Saves how the assistant answers from the next question on, as a new version.',
  input: z.object({ settings: agentSettings }).strict(),
  output: chatAgent,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'chat-agent-changed',
});

export const restoreChatAgent = defineCall({
  summary: 'Goes back to a saved version of the assistant, which becomes the newest one.',
  input: z.object({ version: z.number().int().positive() }).strict(),
  output: chatAgent,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'chat-agent-changed',
});

export const tryChatAgent = defineCall({
  summary: 'Answers a question with settings that are not saved, or with the saved ones; it is counted nowhere.',
  input: z
    .object({
      question: z
        .string()
        .max(agentBounds.trial)
        .refine((text) => text.trim() !== '', { message: 'The question is empty.' }),
      /** Absent: the saved ones. */
      settings: agentSettings.optional(),
    })
    .strict(),
  output: query.output,
  access: 'admin',
  scope: 'admin',
  feature: 'ask',
  idempotent: false,
  audit: 'question-asked',
});
