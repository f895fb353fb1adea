import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { createApp } from './app.ts';
import type { App } from './app-options.ts';
import { CannotStart } from './db/postgres/cannot-start.ts';
import { prepareEnglishWords } from './features/retrieval/retrieval.ts';
import { boundGarbage, collectGarbageAtRest } from './lib/garbage.ts';
import { prepareWords } from './lib/prepare-words.ts';
import { showsMails } from './mailer.ts';
import { stopAtSignals } from './stop.ts';

// Starts the service, and stops it at the first signal; a second one ends it at once.

// What we write (documents, copies of them, passwords) is for our own user alone.
process.umask(0o077);

let app: App | undefined;
try {
  const config = readConfig(process.env);
  app = await createApp(config);
  const address = await app.listen();
  stopAtSignals(app.close);
  greet(config, app, address, await app.setUpLink());
  prepareWords();
  prepareEnglishWords();
  boundGarbage();
  collectGarbageAtRest();
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  await app?.close().catch(() => {});
  process.exit(1);
}

function greet(config: Config, { ports }: App, address: string, setUpLink: string | null): void {
  if (config.role === 'worker') {
    console.log(
      `\n  ${config.branding.name} works on jobs, and answers nobody: listening on ${address} for its health alone.\n`,
    );
    return;
  }
  const lines = [
    '',
    `  ${config.branding.name} is running: ${config.publicUrl}${address === config.publicUrl ? '' : ` (listening on ${address})`}`,
    '',
    `  In use:  ${Object.entries(ports)
      .map(([port, name]) => `${port}: ${name}`)
      .join(', ')}`,
    `  Data in: ${config.dataDir}`,
    ...(config.smtp ? [] : [`  Mails:   ${whereMailsAre(config)}`]),
    ...(config.linksNotSet.length === 0 ? [] : [`  Not set: ${whatIsMissed(config)}`]),
    setUpLink
      ? `  First:   open ${setUpLink} and create your company. Whoever has this link can: keep it to yourself.`
      : `  First:   open ${config.publicUrl} and create your company (or sign in), then upload a document and ask.`,
    '  Stop it with Ctrl+C.',
    '',
  ];
  console.log(lines.join('\n'));
}

function whatIsMissed({ linksNotSet, branding }: Config): string {
  const means: Record<string, string> = {
    SALES_EMAIL: `"Contact Sales" writes to ${branding.salesEmail}`,
    TERMS_URL: 'no Terms of Service in the footer',
    SOCIAL_URL: 'no social profile there',
  };
  return linksNotSet.map((name) => `${name} (${means[name]})`).join(', ');
}

function whereMailsAre(config: Config): string {
  return showsMails(config)
    ? `are not sent, but can be read at ${config.publicUrl}/dev/outbox`
    : 'are neither sent nor shown: set SMTP_URL and MAIL_FROM';
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CannotStart) return error.message;
  if (error instanceof Error && 'code' in error) {
    const port = process.env.PORT || '3000';
    if (error.code === 'EADDRINUSE') return `Port ${port} is in use. Stop what uses it, or set PORT to another one.`;
    if (error.code === 'EACCES')
      return `${error.message}\nThis user may not listen on port ${port}, or not write there.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
