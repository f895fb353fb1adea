/**
 * `npm run demo`: the product with a sample company and its documents. The first run signs the company up and uploads
 * samples/files, over HTTP like anybody else; later runs find it there and serve.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CompanyFile } from '#contract/calls/documents.ts';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { type App, createApp } from '#server/app.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { DataDirInUse } from '#server/db/postgres/lock.ts';
import { stopAtSignals } from '#server/stop.ts';
import { type Client, createClient } from './client.ts';

const company = 'Nordwind Logistics';
const admin = { email: 'katrin@nordwind.example', password: 'north wind over the elbe' };
const member = { email: 'jonas@nordwind.example', password: 'walk the long pier at dawn' };
const questions = [
  'How much may a hotel in Berlin cost per night?',
  'What does error code E-204 on the scanner mean?',
  'Wer bezahlt die Sicherheitsschuhe?',
];
const samples = path.join(import.meta.dirname, '..', 'samples', 'files');

let app: App | undefined;
let stopping = false;
try {
  const config = readConfig({ DATA_DIR: 'data/demo', LOG_LEVEL: 'warn', ...process.env });
  const running = await createApp(config);
  app = running;
  stopAtSignals(() => {
    stopping = true;
    return running.close();
  });
  const address = await app.listen();
  const { idToken, user } = await enter(createClient(address));
  const client = createClient(address, idToken);
  if ((await client.call('getCompanyFiles', null)).length === 0) await uploadSamples(client);
  const joined = await join(client, address, user.companyId);
  greet(config, joined, config.port === 0 ? address : config.publicUrl, await client.filesWhenRead());
} catch (error) {
  // Stopped while it was still uploading: what it waited for has been cut off.
  if (!stopping) await fail(error);
}

async function fail(error: unknown): Promise<never> {
  console.error(`\n${explain(error)}\n`);
  await app?.close().catch(() => {});
  process.exit(1);
}

async function enter(anyone: Client): Promise<CallOutput<'signIn'>> {
  try {
    return await anyone.call('signIn', admin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid-credentials') throw error;
  }
  return anyone.call('signUp', { companyName: company, ...admin });
}

async function uploadSamples(client: Client): Promise<void> {
  const names = (await readdir(samples)).sort();
  console.log(`\n  Uploading the ${names.length} documents of ${company} ...`);
  for (const name of names) await client.upload(name.normalize('NFC'), await readFile(path.join(samples, name)));
  console.log('  Reading them ...');
}

/** Invites the member, who follows the mailed link; says no where mails really go out, and so can't be read here. */
async function join(client: Client, address: string, companyId: string): Promise<boolean> {
  const known = (await client.call('listUsers', null)).find(({ email }) => email === member.email);
  if (known?.state === 'active') return true;
  await client.call('inviteUser', { email: member.email, companyId });
  for (let tries = 0; tries < 50; tries++) {
    const outbox = await fetch(`${address}/dev/outbox.json`);
    if (!outbox.ok) return false;
    const mails: { to: string; text: string }[] = await outbox.json();
    const link = mails.find(({ to }) => to === member.email)?.text.match(/https?:\S+oobCode=\S+/)?.[0];
    const oobCode = link && new URL(link).searchParams.get('oobCode');
    if (oobCode) {
      await client.call('confirmPasswordReset', { oobCode, newPassword: member.password });
      return true;
    }
    await setTimeout(200);
  }
  return false;
}

function greet({ branding, dataDir }: Config, joined: boolean, address: string, files: readonly CompanyFile[]): void {
  const unread = files.filter(({ state }) => state !== 'ready');
  console.log(
    [
      '',
      `  ${branding.name} is running with a sample company: ${address}`,
      '',
      `  Company:  ${company}, ${files.length} documents, ${files.length - unread.length} of them ready`,
      ...unread.map(({ name, state, reason }) => `            ${name}: ${state}${reason ? `. ${reason}` : ''}`),
      `  Sign in:  ${admin.email}`,
      `  Password: ${admin.password}`,
      ...(joined ? [`  Or as a member: ${member.email}`, `  Password: ${member.password}`] : []),
      '',
      '  Questions worth asking:',
      ...questions.map((question) => `    - ${question}`),
      '',
      `  Data in: ${dataDir} (delete this folder to begin anew)`,
      '  Stop it with Ctrl+C.',
      '',
    ].join('\n'),
  );
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof DataDirInUse) return error.message;
  if (error instanceof AppError && error.code === 'signup-closed') {
    return 'Another company lives in this folder. Choose another one for the demo with DATA_DIR.';
  }
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env.PORT || '3000'} is in use. Stop what uses it, or set PORT to another one.`;
  }
  return error.stack ?? error.message;
}
