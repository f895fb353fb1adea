/**
 * `npm run demo`: the product with a sample company and its documents. The first run signs the company up and uploads
 * samples/files, over HTTP like anybody else; later runs find it there and serve.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '#client/client.ts';
import type { CompanyFile } from '#contract/calls/documents.ts';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { createApp } from '#server/app.ts';
import type { App } from '#server/app-options.ts';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { stopAtSignals } from '#server/stop.ts';

const company = 'Nordwind Logistics';
const admin = { email: 'katrin@nordwind.example', password: 'north wind over the elbe' };
const member = { email: 'jonas@nordwind.example', password: 'harbour lights at dawn' };
const questions = [
  'How much may a hotel in Berlin cost per night?',
  'What does error code E-204 on the scanner mean?',
  'Wer bezahlt die Sicherheitsschuhe?',
];
const samples = join(import.meta.dirname, '..', 'samples', 'files');

let app: App | undefined;
let stopping = false;
try {
  const config = readConfig({ DATA_DIR: 'data/demo', LOG_LEVEL: 'warn', BILLING: 'off', ...process.env });
  const running = await createApp(config);
  app = running;
  stopAtSignals(() => {
    stopping = true;
    return running.close();
  });
  const address = await app.listen();
  const { idToken, user } = await enter(createClient(address));
  const client = createClient(address, idToken);
  await bringMember(running, address, client, user.companyId);
  if ((await client.call('getCompanyFiles', null)).length === 0) await uploadSamples(client);
  greet(config, config.port === 0 ? address : config.publicUrl, await client.filesWhenRead());
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

/** Invites the second person, and accepts with the link of the mail: where mails are sent, it is not ours to read. */
async function bringMember(running: App, address: string, client: Client, companyId: string): Promise<void> {
  const { email, password } = member;
  const known = (await client.call('listUsers', null)).find((person) => person.email === email);
  if (running.ports.mail === 'SMTP' || known?.state === 'active') return;
  await client.call('inviteUser', { email, companyId });
  await running.jobs.idle();
  const mails: { to: string; text: string }[] = await (await fetch(`${address}/dev/outbox.json`)).json();
  const oobCode = /oobCode=(\S+)/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (oobCode === undefined) return;
  await createClient(address).call('confirmPasswordReset', { oobCode, newPassword: password });
}

async function uploadSamples(client: Client): Promise<void> {
  const names = (await readdir(samples)).sort();
  console.log(`\n  Uploading the ${names.length} documents of ${company} ...`);
  for (const name of names) await client.upload(name.normalize('NFC'), await readFile(join(samples, name)));
  console.log('  Reading them ...');
}

function greet({ branding, dataDir, smtp }: Config, address: string, files: readonly CompanyFile[]): void {
  const unread = files.filter(({ state }) => state !== 'ready');
  console.log(
    [
      '',
      `  ${branding.name} is running with a sample company: ${address}`,
      '',
      `  Company:  ${company}, ${files.length} documents, ${files.length - unread.length} of them ready`,
      ...unread.map(({ name, state, reason }) => `            ${name}: ${state}${reason ? `. ${reason}` : ''}`),
      `  Admin:    ${admin.email}`,
      `  Password: ${admin.password}`,
      // Where mails are sent, this person has not been invited.
      ...(smtp ? [] : [`  Member:   ${member.email}`, `  Password: ${member.password}`]),
      `  Mails:    ${smtp ? 'sent' : `${address}/dev/outbox`}`,
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
  if (error instanceof ConfigError || error instanceof CannotStart) return error.message;
  if (error instanceof AppError && error.code === 'signup-closed') {
    return 'Another company lives in this folder. Choose another one for the demo with DATA_DIR.';
  }
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env.PORT || '3000'} is in use. Stop what uses it, or set PORT to another one.`;
  }
  return error.stack ?? error.message;
}
