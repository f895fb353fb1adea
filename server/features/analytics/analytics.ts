import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { analyticsStates, askedQuestions, collections, queries } from '#server/db/schema.ts';
import type { createAnswers } from '#server/features/answers/answers.ts';
import { audit } from '#server/features/audit/audit.ts';
import { countInOtherZone, countQuestions, sumMonths } from './count.ts';
import { exportTable } from './export.ts';
import { askersIn, feedbackIn } from './feedback.ts';
import { openMonthsOf } from './months.ts';
import { overview } from './overview.ts';
import { analyticsSettings } from './settings.ts';
import type { Range } from './sources.ts';

type Caller = Actor & { ip: string };

const feedbackListed = 10;
const askersListed = 1000;

/** What a company's people asked, counted: for its admins. */
export function createAnalytics({
  db,
  answers,
}: {
  db: Database;
  answers: Pick<ReturnType<typeof createAnswers>, 'query'>;
}) {
  /**
   * Reads what is counted, with what was asked up to now: a few questions are counted at once, more by the job.
   * @throws AppError `feature-not-in-plan`, `names-not-shown` where a person's own are asked for;
   * `collection-not-found`
   */
  async function read<Result>(
    { companyId, entitlements }: Actor,
    { from, to, userId, collectionId }: Omit<Range, 'timeZone' | 'openMonths'>,
    work: (tx: Tx, range: Range, settings: { showNames: boolean }) => Promise<Result>,
  ): Promise<Result> {
    if (userId !== undefined) requireFeature(entitlements, 'usage-analytics');
    if (collectionId !== undefined) requireFeature(entitlements, 'collections');
    await countQuestions(db, companyId);
    return db.asCompany(companyId, async (tx) => {
      // Of one moment: a month that is summed up meanwhile must be read neither twice nor not at all.
      await tx.execute(sql`set transaction isolation level repeatable read`);
      const { showNames, timeZone } = await analyticsSettings(tx, companyId);
      if (userId !== undefined && !showNames) throw new AppError('names-not-shown');
      if (collectionId !== undefined && collectionId.toLowerCase() !== companyId)
        await requireCollection(tx, collectionId);
      const [state] = await tx.select().from(analyticsStates);
      const openMonths = await openMonthsOf(tx);
      const range = { from, to, userId, collectionId, timeZone: state?.timeZone ?? timeZone, openMonths };
      return work(tx, range, { showNames });
    });
  }

  return {
    overview: (actor: Actor, input: ParsedInput<'getAnalytics'>): Promise<CallOutput<'getAnalytics'>> =>
      read(actor, input, (tx, range, { showNames }) =>
        overview(tx, range, { full: actor.entitlements.features.includes('usage-analytics'), showNames }),
      ),

    feedback: (actor: Actor, { rating, cursor, ...input }: ParsedInput<'listFeedback'>) =>
      read(actor, input, (tx, range, { showNames }) =>
        feedbackIn(tx, range, { rating, cursor, limit: feedbackListed, showNames }),
      ),

    askers: (actor: Actor, input: ParsedInput<'listAskers'>) =>
      read(actor, input, async (tx, range, { showNames }) => {
        if (!showNames) throw new AppError('names-not-shown');
        return { people: await askersIn(tx, range, askersListed) };
      }),

    exportTable: (actor: Caller, { table, ...input }: ParsedInput<'exportAnalytics'>) =>
      read(actor, input, async (tx, range, { showNames }) => {
        if (table === 'people' && !showNames) throw new AppError('names-not-shown');
        const { from, to } = input;
        await audit(tx, { action: 'analytics-exported', by: actor, target: table, details: { from, to } });
        return exportTable(tx, table, range, showNames);
      }),

    /** @throws AppError `question-not-found` */
    setSolved: (by: Caller, { questionId, solved }: ParsedInput<'setQuestionSolved'>): Promise<void> =>
      db.asCompany(by.companyId, async (tx) => {
        const [changed] = await tx
          .update(askedQuestions)
          .set({ solvedAt: solved ? new Date() : null })
          .where(eq(askedQuestions.id, questionId))
          .returning({ id: askedQuestions.id });
        if (!changed) throw new AppError('question-not-found');
        // By its id: the log is kept for longer and for other eyes than questions.
        await audit(tx, { action: 'question-solved', by, details: { questionId, solved } });
      }),

    /**
     * Asks as the person who asked first did, with the question before it where it went on from one.
     * @throws AppError `question-not-found`
     */
    async askAgain(
      actor: Caller,
      { questionId }: ParsedInput<'askAgain'>,
      signal: AbortSignal,
    ): Promise<CallOutput<'askAgain'>> {
      const [asked] = await db.asCompany(actor.companyId, (tx) =>
        tx
          .select({ question: queries.question, saidBefore: queries.saidBefore })
          .from(queries)
          .where(eq(queries.askedQuestionId, questionId))
          .orderBy(queries.createdAt)
          .limit(1),
      );
      if (!asked) throw new AppError('question-not-found');
      const texts = [...(asked.saidBefore === null ? [] : [asked.saidBefore]), asked.question];
      const history = texts.map((text) => ({ role: 'user' as const, parts: [{ text }] }));
      return answers.query(actor, { history }, { signal, emit: () => {}, isTrial: true });
    },
  };
}

/** @throws AppError `collection-not-found` */
async function requireCollection(tx: Tx, collectionId: string): Promise<void> {
  const found = await tx.select({ id: collections.id }).from(collections).where(eq(collections.id, collectionId));
  if (found.length === 0) throw new AppError('collection-not-found');
}

export type AnalyticsFeature = ReturnType<typeof createAnalytics>;

/** Counts all of a company's days anew from its stored questions, and sums up the months that are over. */
export async function recountAnalytics(db: Database, companyId: string): Promise<void> {
  await countInOtherZone(db, companyId);
  await sumMonths(db);
}
