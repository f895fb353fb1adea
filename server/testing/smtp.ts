import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { ReceivedMail } from '#server/ports/mail/contract.ts';

/** A real SMTP server on loopback that keeps what it takes. */
export interface SmtpInbox {
  url: string;
  /** Mails taken, in order, parsed by a library that knows nothing of the one that made them. */
  mails: (ReceivedMail & { from: string; raw: string; links: string[] })[];
  /** Answers the next recipients, one for each number, with these SMTP codes instead of taking them. */
  refuse(...codes: number[]): void;
  /** How often a recipient was named to it. */
  attempts(): number;
  close(): Promise<void>;
}

/** @param options.user who has to sign in, with which password; absent: anyone may send. */
export async function startSmtpServer({
  user,
}: {
  user?: { name: string; password: string };
} = {}): Promise<SmtpInbox> {
  const mails: SmtpInbox['mails'] = [];
  const refusals: number[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    logger: false,
    disabledCommands: user ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !user,
    onAuth({ username, password }, _session, done) {
      if (username === user?.name && password === user?.password) done(null, { user: username });
      else done(smtpError(535));
    },
    onRcptTo({ address }, _session, done) {
      attempts += 1;
      const code = refusals.shift();
      done(code === undefined ? null : smtpError(code, `<${address}>: `));
    },
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then(async (bytes) => {
          const {
            headers,
            subject = '',
            text = '',
            html = '',
            to = [],
            date = '',
            cc = [],
            bcc = [],
          } = await PostalMime.parse(bytes);
          const named = [...to, ...cc, ...bcc].map(({ address }) => address ?? '');
          mails.push({
            to: [...named, ...envelope.rcptTo.map(({ address }) => address)],
            from: headers.find(({ key }) => key === 'from')?.value ?? '',
            subject,
            text,
            html,
            headers: headers.map(({ key }) => key),
            date: new Date(date),
            links: text.match(/https?:\/\/\S+/g) ?? [],
            raw: bytes.toString('latin1'),
          });
        })
        .then(
          () => done(),
          (error: Error) => done(error),
        );
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const login = user ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@` : '';
  return {
    url: `smtp://${login}127.0.0.1:${address.port}`,
    mails,
    refuse: (...codes) => void refusals.push(...codes),
    attempts: () => attempts,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** @param of whose mail it is, which servers say */
function smtpError(responseCode: number, of = ''): Error {
  return Object.assign(new Error(`${of}refused with ${responseCode}`), { responseCode });
}
