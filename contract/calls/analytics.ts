import { z } from 'zod';
import { actingKinds } from '../api-keys.ts';
import { defineCall } from '../call.ts';
import { query } from './answers.ts';

const none = z.null().or(z.object({}).strict());

const analyticsSettings = z.object({
  /** Where the company's days begin, as the IANA database names it. */
  timeZone: z.string(),
  /** False: analytics tell of nobody by name, in no list and no file. */
  showNames: z.boolean(),
  /** Questions and answers that are older are erased every night, with all that was counted of them. */
  questionRetentionDays: z.number().int(),
  /** Whether the admins are mailed what was asked in the month before. */
  monthlyReport: z.boolean(),
});

/** Days of the company's time zone, both counted. */
const days = { from: z.iso.date(), to: z.iso.date() };
const maxDays = 1100;
function inRange<Schema extends z.ZodType<{ from: string; to: string }>>(schema: Schema) {
  return schema
    .refine(({ from }) => from >= '2000-01-01', { message: 'The first day is too long ago.' })
    .refine(({ from, to }) => from <= to, { message: 'The first day comes after the last.' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxDays * 86_400_000, {
      message: 'A range has at most 1,100 days.',
    });
}
/** A part of what was asked; with both, what fits both. */
const only = {
  /** Only what this person asked: needs `usage-analytics`, and a company that shows names. */
  userId: z.uuid().optional(),
  /** Only what was answered with a source in this collection, and of documents those in it: needs `collections`. */
  collectionId: z.uuid().optional(),
};
const count = z.number().int().nonnegative();
const moment = z.iso.datetime();

const askedQuestion = z.object({
  /** As it was asked first; a follow-up has the question that it goes on from before it. */
  text: z.string(),
  /** How often in the range: of `unansweredQuestions`, how often without an answer. */
  count,
  lastAskedAt: moment,
  questionId: z.uuid(),
});
const unansweredQuestion = askedQuestion.extend({
  /** How many people got no answer to it. */
  people: count,
  /** It was asked again after that, and answered. */
  answeredSince: z.boolean(),
});
const numbers = z.object({ asked: count, answered: count, unanswered: count, people: count });

export const getAnalytics = defineCall({
  summary:
    'What was asked from one day to another: numbers, days, top questions, unanswered questions; with usage analytics also documents, hours and speed.',
  input: inRange(z.object({ ...days, ...only }).strict()),
  output: numbers.extend({
    /** Every day of the range. */
    perDay: z.array(z.object({ date: z.iso.date(), asked: count, unanswered: count })),
    /** The same question in other words counts once. Ten at most without usage analytics, else 50. */
    topQuestions: z.array(askedQuestion),
    /** Those that are not marked as solved, most asked first. Ten at most without usage analytics, else 100. */
    unansweredQuestions: z.array(unansweredQuestion),
    /** Most cited first, then those that were not cited in the range; none without usage analytics. */
    documents: z.array(
      z.object({
        documentId: z.uuid(),
        name: z.string(),
        citations: count,
        /** Also where that was before the range; absent: never. */
        lastCitedAt: moment.optional(),
      }),
    ),
    feedback: z.object({ helpful: count, notHelpful: count }),
    /** In which zone the days are days. */
    timeZone: z.string(),
    /** Today, there. */
    today: z.iso.date(),
    /** As many days before the range. */
    before: numbers.extend({ feedback: z.object({ helpful: count, notHelpful: count }) }),
    /** Whether anybody may be named. */
    showNames: z.boolean(),
    /** How many documents were cited in the range, and how many were not; the list has a hundred of each at most. */
    documentsCited: count.optional(),
    documentsNotCited: count.optional(),
    /** How many were asked on each weekday (1: Monday, to 7) at each hour (0 to 23); left out where none were. */
    hours: z.array(z.object({ weekday: z.number().int(), hour: z.number().int(), asked: count })).optional(),
    /** Milliseconds within which half, and 95 of 100, of the answers came, to 10 %; absent where nothing was asked. */
    speed: z.object({ medianMs: z.number(), p95Ms: z.number() }).optional(),
    /**
     * What was asked and searched by API keys in the range, most first. Not where one collection is asked for, nor
     * without usage analytics. A company's key is none of the people.
     */
    keys: z
      .array(
        z.object({
          keyId: z.uuid(),
          name: z.string(),
          kind: z.enum(actingKinds),
          /** The e-mail of whose it is, where names are shown. */
          person: z.string().optional(),
          asked: count,
          searched: count,
        }),
      )
      .optional(),
  }),
  access: 'admin',
  scope: 'admin',
  feature: 'basic-analytics',
  idempotent: true,
});

export const setQuestionSolved = defineCall({
  summary: 'Takes an unanswered question off the list, until it is asked without an answer again; or puts it back.',
  input: z.object({ questionId: z.uuid(), solved: z.boolean() }).strict(),
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: 'basic-analytics',
  idempotent: false,
  audit: 'question-solved',
});

export const askAgain = defineCall({
  summary: 'Asks a question of the analytics as it would be answered now; that is counted nowhere.',
  input: z.object({ questionId: z.uuid() }).strict(),
  output: query.output,
  access: 'admin',
  scope: 'admin',
  feature: 'basic-analytics',
  idempotent: false,
  audit: 'question-asked',
});

export const listFeedback = defineCall({
  summary:
    'Ratings of answers to what was asked from one day to another, with reason, question and answer; newest first.',
  input: inRange(
    z
      .object({
        ...days,
        ...only,
        rating: z.enum(['up', 'down']).optional(),
        cursor: z.string().max(200).optional(),
      })
      .strict(),
  ),
  output: z.object({
    feedback: z.array(
      z.object({
        queryId: z.uuid(),
        rating: z.enum(['up', 'down']),
        reason: z.string().optional(),
        question: z.string(),
        answer: z.string(),
        askedAt: moment,
        /** What they are called; absent where the company shows no names. */
        person: z.string().optional(),
      }),
    ),
    /** Where the list goes on. */
    next: z.string().optional(),
  }),
  access: 'admin',
  scope: 'admin',
  feature: 'usage-analytics',
  idempotent: true,
});

export const listAskers = defineCall({
  summary: 'Who asked how much from one day to another, most first; refused where the company shows no names.',
  input: inRange(z.object(days).strict()),
  output: z.object({
    people: z.array(
      z.object({
        userId: z.uuid(),
        /** Absent for who is not in the company any more. */
        email: z.string().optional(),
        displayName: z.string().optional(),
        asked: count,
        unanswered: count,
        rated: count,
        lastAskedAt: moment,
      }),
    ),
  }),
  access: 'admin',
  scope: 'admin',
  feature: 'usage-analytics',
  idempotent: true,
});

export const analyticsTables = [
  'days',
  'questions',
  'unanswered',
  'documents',
  'feedback',
  'people',
  'hours',
  'speed',
] as const;

export const exportAnalytics = defineCall({
  summary: 'One of the tables as CSV with a byte order mark, whole (at most 100,000 rows), as spreadsheets open it.',
  input: inRange(z.object({ ...days, ...only, table: z.enum(analyticsTables) }).strict()),
  output: z.object({ fileName: z.string(), csv: z.string() }),
  access: 'admin',
  scope: 'admin',
  feature: 'usage-analytics',
  idempotent: false,
  audit: 'analytics-exported',
});

export const getAnalyticsSettings = defineCall({
  summary: 'What the company has decided on its analytics: names, how long questions are kept, the monthly report.',
  input: none,
  output: analyticsSettings,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const updateAnalyticsSettings = defineCall({
  summary:
    'Changes what is given of it. The monthly report can only be switched on in a plan that has usage analytics.',
  input: z
    .object({
      showNames: z.boolean().optional(),
      questionRetentionDays: z.number().int().min(1).max(3650).optional(),
      monthlyReport: z.boolean().optional(),
    })
    .strict(),
  output: analyticsSettings,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'analytics-settings-changed',
});
