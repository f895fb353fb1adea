import { expect } from '@playwright/test';
import { createClient } from '#client/client.ts';
import type { RunningApp } from './app.ts';

/** A mail as the outbox shows it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Waits for the `nth` mail to the address (the first is 1) beside those that ask to confirm it or tell of a sign-in,
 * and answers it.
 */
export function mailTo(app: RunningApp, to: string, nth = 1): Promise<Mail> {
  return nthMail(app, nth, (mail) => mail.to === to && !asksToConfirm(mail) && !tellsOfSignIn(mail));
}

/** The same for those that ask to confirm the address. */
export function confirmationTo(app: RunningApp, to: string, nth = 1): Promise<Mail> {
  return nthMail(app, nth, (mail) => mail.to === to && asksToConfirm(mail));
}

/** The same for those that tell of a sign-in. */
export function signInMailTo(app: RunningApp, to: string, nth = 1): Promise<Mail> {
  return nthMail(app, nth, (mail) => mail.to === to && tellsOfSignIn(mail));
}

const tellsOfSignIn = ({ subject }: Mail) => subject.startsWith('New sign-in');
const asksToConfirm = ({ subject }: Mail) => subject.startsWith('Confirm your email');

async function nthMail(app: RunningApp, nth: number, wanted: (mail: Mail) => boolean): Promise<Mail> {
  let mails: Mail[] = [];
  await expect
    .poll(
      async () => {
        mails = (await read(app)).filter(wanted);
        return mails.length;
      },
      { message: 'mails', timeout: 45_000, intervals: [20] },
    )
    .toBeGreaterThanOrEqual(nth);
  const mail = mails[nth - 1];
  if (!mail) throw new Error('the outbox has lost a mail');
  return mail;
}

/** The address that the mail's link opens; the same one in text and HTML. */
export function linkIn({ text, html }: Mail): string {
  const [link] = /https?:\/\/\S+(?:oobCode|confirmCode)=[^\s>)]+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  expect(html.replaceAll('&amp;', '&')).toContain(link);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

export function codeIn(mail: Mail): string {
  return new URL(linkIn(mail), 'http://localhost').searchParams.get('oobCode') ?? '';
}

/** Opens the link of the mail that confirms an address, past the browser. */
export async function confirmEmail(app: RunningApp, email: string): Promise<void> {
  const link = linkIn(await confirmationTo(app, email));
  const code = new URL(link, app.url).searchParams.get('confirmCode') ?? '';
  await createClient(app.url).call('confirmEmail', { code });
}

/** All mails, the oldest first. */
async function read({ url }: RunningApp): Promise<Mail[]> {
  const newestFirst: Mail[] = await (await fetch(`${url}/dev/outbox.json`)).json();
  return newestFirst.toReversed();
}
