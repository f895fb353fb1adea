import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, gt, isNull, lte, type PgColumn, type PgTable, type SQL, sql } from '#server/db/drizzle.ts';
import { companies, digestChoices, documents, queries, users, versions } from '#server/db/schema.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';

/** Names and questions in one mail, and characters of each. */
const maxNamed = 20;
const maxLength = 200;

type Choice = typeof digestChoices.$inferSelect;

/** The job `mail-digests`, once a day: tells each admin who wants it what has failed since they were told last. */
export async function mailDigests(
  { db, sendMail, publicUrl }: { db: Database; sendMail: SendMail; publicUrl: string },
  now = new Date(),
): Promise<void> {
  const choices = await db.asSystem((tx) =>
    tx
      .select({ companyId: digestChoices.companyId, userId: digestChoices.userId })
      .from(digestChoices)
      .innerJoin(companies, and(eq(companies.id, digestChoices.companyId), isNull(companies.endsAt))),
  );
  // One that fails is tried again, and the others are not told twice.
  await eachByItself(choices, ({ companyId, userId }) =>
    db.asCompany(companyId, async (tx) => {
      const ofPerson = eq(digestChoices.userId, userId);
      const [choice] = await tx.select().from(digestChoices).where(ofPerson).for('update', { skipLocked: true });
      const [person] = await tx.select().from(users).where(eq(users.id, userId));
      if (!choice) return;
      // Of somebody who is no admin, too: who becomes one again is not told of all that was meanwhile.
      await tx.update(digestChoices).set({ toldUntil: now }).where(ofPerson);
      if (person?.role !== 'admin' || person.state !== 'active') return;
      const facts = await factsOf(tx, choice, now);
      if (facts.files.length + facts.questions.length === 0) return;
      const url = `${publicUrl}/admin/dashboard`;
      await sendMail(tx, {
        to: person.email,
        companyId,
        words: (texts, name) => texts.digest(name, { ...facts, url }),
      });
    }),
  );
}

async function factsOf(tx: Tx, { failedFiles, unanswered, toldUntil }: Choice, now: Date) {
  const since = (column: PgColumn) => and(gt(column, toldUntil), lte(column, now));
  const failed = and(
    eq(versions.state, 'failed'),
    since(versions.finishedAt),
    sql`exists (select from ${documents} where ${documents.id} = ${versions.documentId} and ${isNull(documents.deletedAt)})`,
  );
  const open = and(eq(queries.answered, false), eq(queries.isTrial, false), since(queries.createdAt));
  const name = sql<string>`(select ${documents.name} from ${documents} where ${documents.id} = ${versions.documentId})`;
  const files = failedFiles
    ? await some(tx, versions, { text: name, order: versions.finishedAt, where: failed })
    : none;
  const questions = unanswered
    ? await some(tx, queries, { text: sql<string>`${queries.question}`, order: queries.createdAt, where: open })
    : none;
  return {
    files: files.texts,
    moreFiles: files.more,
    questions: questions.texts,
    moreQuestions: questions.more,
  };
}

const none = { texts: [], more: 0 };

async function some(
  tx: Tx,
  from: PgTable,
  { text, order, where }: { text: SQL<string>; order: PgColumn; where: SQL | undefined },
): Promise<{ texts: string[]; more: number }> {
  const rows = await tx
    .select({ text: sql<string>`left(${text}, ${maxLength})` })
    .from(from)
    .where(where)
    .orderBy(asc(order))
    .limit(maxNamed);
  const all = rows.length < maxNamed ? rows.length : await tx.$count(from, where);
  return { texts: rows.map((row) => row.text), more: all - rows.length };
}
