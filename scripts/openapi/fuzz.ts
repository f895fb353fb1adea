/**
 * Sends a service requests that are made of the API document: `node scripts/openapi/fuzz.ts [--requests 10000] [--seed
 * 1]`. Fails where one is answered by a fault, or by anything that the document does not name.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, forPrograms } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { holdToDocument } from '#server/testing/as-documented.ts';
import { fuzzService } from '#server/testing/fuzz-service.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const dataDir = await mkdtemp(join(tmpdir(), 'footnote-fuzz-'));
const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'fatal', BILLING: 'off', SIGNUP: 'open', PORT: '0' };
const app = await createApp(readConfig({ ...settings, ...forPrograms }));
const unlike = new Set<string>();
holdToDocument(app.http.server, (finding) => unlike.add(finding));
try {
  const url = await app.listen();
  const password = 'north wind over the elbe';
  const { idToken } = await createClient(url).call('signUp', {
    companyName: 'Fuzz',
    email: 'a@fuzz.example',
    password,
  });
  const admin = createClient(url, idToken);
  for (const name of ['Onboarding checklist.md', 'Staff handbook.docx']) {
    await admin.upload(name, await readFile(`samples/files/${name}`));
  }
  const { key, keyId } = await admin.call('createApiKey', {
    name: 'Fuzz',
    kind: 'company',
    role: 'admin',
    scope: 'admin',
  });
  const reader = await admin.call('createApiKey', { name: 'Read', kind: 'company', scope: 'read' });
  await app.jobs.idle();
  const started = performance.now();
  const how = { count: Number(values.requests), seed: Number(values.seed) };
  const sender = { url, bearers: [idToken, key, reader.key, null], spared: [keyId, reader.keyId] };
  const { sent, answers, faults } = await fuzzService(sender, how);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${sent} requests (seed ${how.seed}) in ${seconds} s:`, answers);
  for (const each of [...faults, ...unlike]) console.error(each);
  console.log(`${faults.length} faults, ${unlike.size} answers that are not as the document says`);
  process.exitCode = faults.length + unlike.size === 0 ? 0 : 1;
} finally {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}
