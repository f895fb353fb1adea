import { pino } from 'pino';
import { openDatabase } from '#server/db/db.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { identityContract } from '../contract.ts';
import { openIdentityToolkit } from '../identity-toolkit.ts';

const { IDENTITY_EMULATOR_URL: emulatorUrl, IDENTITY_PROJECT: projectId } = process.env;
if (!emulatorUrl || !projectId) throw new Error('run this by: npm run conformance');

identityContract("Google's Auth emulator", async () => {
  const database = await createTestDatabase();
  const db = await openDatabase(database.connection, { name: 'test', log: pino({ level: 'silent' }) });
  return {
    provider: await openIdentityToolkit(db, { projectId, apiKey: 'any', emulatorUrl }),
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
});
