import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/db/db.ts';
import { outboxMails } from '#server/db/schema.ts';
import { createLog } from '#server/http/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { mailerContract, newMail } from './contract.ts';
import { openOutbox } from './outbox.ts';

const log = createLog('silent');
const page = 'http://footnote.test/dev/outbox';
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function openEmpty() {
  await db.asSystem((tx) => tx.delete(outboxMails));
  return openOutbox({ db, log, page });
}

mailerContract('the outbox', async () => {
  const outbox = await openEmpty();
  return {
    mailer: outbox,
    async received() {
      const mails = await outbox.list();
      return mails.reverse().map(({ sentAt: date, ...mail }) => ({ ...mail, to: [mail.to], headers: null, date }));
    },
    close: () => outbox.close(),
  };
});

describe('the outbox', () => {
  test('lists the newest first, and finds each by its id', async () => {
    const outbox = await openEmpty();
    for (const subject of ['one', 'two', 'three']) await outbox.send(newMail({ subject }));
    const mails = await outbox.list();
    expect(mails.map(({ subject }) => subject)).toEqual(['three', 'two', 'one']);
    for (const mail of mails) expect(await outbox.find(mail.id)).toEqual(mail);
    expect(await outbox.find('00000000-0000-4000-8000-000000000000')).toBeNull();
  });

  test('lists first what was written last, whichever came first', async () => {
    const outbox = await openEmpty();
    const writtenAt = new Date();
    await outbox.send(newMail({ subject: 'second', writtenAt }));
    await outbox.send(newMail({ subject: 'first', writtenAt: new Date(writtenAt.getTime() - 1) }));
    expect((await outbox.list()).map(({ subject }) => subject)).toEqual(['second', 'first']);
  });

  test('takes the same mail once', async () => {
    const outbox = await openEmpty();
    const mail = newMail();
    await Promise.all([outbox.send(mail), outbox.send(mail)]);
    await outbox.send(mail);
    expect(await outbox.list()).toHaveLength(1);
  });

  test('keeps the newest 500', async () => {
    const outbox = await openEmpty();
    for (let i = 0; i < 505; i += 1) await outbox.send(newMail({ subject: `mail ${i}` }));
    const mails = await outbox.list();
    expect(mails).toHaveLength(500);
    expect(mails[0]?.subject).toBe('mail 504');
  });
});
