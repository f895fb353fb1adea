import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import type { UnfinishedDatabase } from '#server/ports/files/contract-unfinished.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

/** A database of the test file for unfinished uploads, and companies there. */
export function unfinishedDatabase(): UnfinishedDatabase {
  let made: TestDatabase | undefined;
  let opened: Database | undefined;
  const db = () => {
    if (!opened) throw new Error('not open yet');
    return opened;
  };
  beforeAll(async () => {
    made = await createTestDatabase();
    opened = await openDatabase(made.connection, { name: 'test', log: pino({ level: 'silent' }) });
  });
  afterAll(async () => {
    await opened?.close();
    await made?.drop();
  });
  return {
    db,
    async newKey() {
      const companyId = randomUUID();
      await db().asSystem((tx) =>
        tx.execute(sql`insert into companies (id, name, owner_id) values (${companyId}, 'Example', ${randomUUID()})`),
      );
      return { companyId, uploadId: randomUUID() };
    },
  };
}
