/**
 * `npm run keys`: changes the keys of the service, also while it runs.
 *
 *   npm run keys -- rotate <purpose>
 *
 * Purposes are those of `what` below.
 */
import { readConfig } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { rotateSealing } from '#server/features/identity/keys.ts';
import { type Purpose, purposes, replaceKeys } from '#server/ports/identity/service-keys.ts';
import { withDatabase } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

const atRestart = 'Start every process of the service again: each has read the key before at its start.';
/** What a change of each means to people. */
const what: Record<Purpose, string> = {
  'id-token': 'Tokens of before are refused within a minute; browsers get new ones by themselves.',
  'file-link': `Links to originals that are open now end. ${atRestart}`,
  'export-link': `Links to finished exports end; new ones are made in the settings. ${atRestart}`,
  'audit-link': `Links to files of the audit log end. ${atRestart}`,
  device: `Browsers count as new ones at their next sign-in. ${atRestart}`,
  'refresh-token': `Sessions go on; one whose last answer was lost on its way ends. ${atRestart}`,
  'app-request': `Whoever is connecting an app at this moment begins again; apps that are connected stay so. ${atRestart}`,
  'set-up': `The link that creates the first company is another one. ${atRestart}`,
};

try {
  const [command = '', purpose = '', ...more] = process.argv.slice(2);
  const known = purposes.find((each) => each === purpose);
  if (command !== 'rotate' || more.length > 0 || (!known && purpose !== 'sealed-secrets'))
    throw new CannotStart(`usage: npm run keys -- rotate ${['sealed-secrets', ...purposes].join(' | ')}`);
  const config = readConfig({ BILLING: 'off', ...process.env });
  if (!known && config.secretKey !== undefined && config.secretKeyBefore === undefined)
    console.log('SECRET_KEY_BEFORE is not set: only what SECRET_KEY or the file secret.key has sealed can be opened.');
  await withDatabase(config, async (db) => {
    if (known) {
      await replaceKeys(db, known);
      console.log(what[known]);
      return;
    }
    const { sealed, closed } = await rotateSealing(db, config);
    console.log(`${sealed} sealed with the newest key.`);
    if (closed === 0) return;
    console.error(`${closed} could not be opened, and were left: with which key were they sealed?`);
    process.exitCode = 1;
  });
} catch (error) {
  tellFailure(error);
}
