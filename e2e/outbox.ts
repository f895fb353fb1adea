import { expect } from '@playwright/test';
import type { RunningApp } from './app.ts';

/** A mail as the outbox shows it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Waits for the `nth` mail to the address (the first is 1), and answers it. */
export async function mailTo(app: RunningApp, to: string, nth = 1): Promise<Mail> {
  let mails: Mail[] = [];
  await expect
    .poll(
      async () => {
        mails = (await read(app)).filter((mail) => mail.to === to);
        return mails.length;
      },
      { message: `mails to ${to}`, timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(nth);
  const mail = mails[nth - 1];
  if (!mail) throw new Error('the outbox has lost a mail');
  return mail;
}

/** The address that the mail's link opens; the same one in text and HTML. */
export function linkIn({ text, html }: Mail): string {
  const [link] = /https?:\/\/\S+oobCode=[^\s>)]+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  expect(html.replaceAll('&amp;', '&')).toContain(link);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

export function codeIn(mail: Mail): string {
  return new URL(linkIn(mail), 'http://localhost').searchParams.get('oobCode') ?? '';
}

/** All mails, the oldest first. */
async function read({ url }: RunningApp): Promise<Mail[]> {
  const newestFirst: Mail[] = await (await fetch(`${url}/dev/outbox.json`)).json();
  return newestFirst.toReversed();
}
