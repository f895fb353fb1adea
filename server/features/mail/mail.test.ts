import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, mails } from '#server/db/schema.ts';
import { createLog } from '#server/http/log.ts';
import { type Jobs, openJobs } from '#server/jobs/jobs.ts';
import { type JobHandlers, policies } from '#server/jobs/registry.ts';
import { smtpMailer } from '#server/ports/mail/smtp.ts';
import { insertUser } from '#server/testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { type SmtpInbox, startSmtpServer } from '#server/testing/smtp.ts';
import { type CompanyMail, createMail, mailAdmins } from './mail.ts';
import type { Mail } from './render.ts';

const log = createLog('silent');
const day = 86_400_000;
const config = { publicUrl: 'https://footnote.test' };
const voiceOf = async () => ({ language: 'en', origin: config.publicUrl, brand: { name: 'Footnote' } }) as const;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

let inbox: SmtpInbox;
let mailer: ReturnType<typeof smtpMailer>;
let jobs: Jobs;
let mail: ReturnType<typeof createMail>;
beforeEach(async () => {
  await db.asSystem((tx) => tx.delete(mails));
  inbox = await startSmtpServer();
  mailer = smtpMailer({ url: inbox.url, from: 'Footnote <no-reply@footnote.test>' });
  jobs = await openJobs({ db, log, alone: true });
  mail = createMail({ db, jobs, mailer, config, voiceOf });
});
afterEach(async () => {
  await jobs.stop();
  await mailer.close();
  await inbox.close();
});

async function work(): Promise<void> {
  const handlers: Partial<JobHandlers> = Object.fromEntries(
    Object.keys(policies).map((name) => [name, async () => {}]),
  );
  await jobs.work({ ...(handlers as JobHandlers), 'send-mail': mail.deliver });
  await jobs.idle();
}

function newMail(given: Partial<Mail> = {}): CompanyMail {
  const { to, ...words }: Mail = {
    to: 'ann@example.com',
    subject: 'Größe',
    heading: 'A heading',
    paragraphs: ['One.', 'Two.'],
    action: { label: 'Do it', url: 'https://footnote.test/login?oobCode=secret-code&x=1' },
    note: 'Small print.',
    ...given,
  };
  return { to, companyId: randomUUID(), words: () => words };
}

async function rows() {
  return db.asSystem((tx) => tx.select().from(mails));
}

describe('a mail', () => {
  test.each(['asSystem', 'asCompany'] as const)(
    'wanted in a transaction (%s) is sent when that commits',
    async (as) => {
      const id = randomUUID();
      await db.asSystem((tx) => tx.insert(companies).values({ id, name: 'Acme', ownerId: id }));
      if (as === 'asSystem') await db.asSystem((tx) => mail.sendMail(tx, newMail()));
      else await db.asCompany(id, (tx) => mail.sendMail(tx, newMail()));
      await work();
      expect(inbox.mails).toHaveLength(1);
      const [received] = inbox.mails;
      expect(received).toMatchObject({
        subject: 'Größe',
        links: ['https://footnote.test/login?oobCode=secret-code&x=1'],
      });
      for (const words of ['A heading', 'One.', 'Two.', 'Do it', 'Small print.', 'Footnote']) {
        expect(received?.text).toContain(words);
        expect(received?.html).toContain(words);
      }
    },
  );

  test('for the admins of a company goes to nobody else, whatever the transaction sees', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()];
    for (const id of [ours, theirs])
      await db.asSystem((tx) => tx.insert(companies).values({ id, name: 'Example', ownerId: id }));
    const admins = [await insertUser(db, ours, { role: 'admin' }), await insertUser(db, ours, { role: 'admin' })];
    await insertUser(db, ours);
    await insertUser(db, ours, { role: 'admin', invitationExpiresAt: new Date(Date.now() + day) });
    await insertUser(db, theirs, { role: 'admin' });
    await db.asSystem((tx) => mailAdmins(tx, mail.sendMail, ours, newMail().words));
    await work();
    const all = inbox.mails.flatMap(({ to }) => to);
    expect(new Set(all)).toEqual(new Set(admins.map(({ email }) => email)));
    expect(inbox.mails).toHaveLength(2);
  });

  test('of a transaction that rolls back is not sent', async () => {
    const rolledBack = db.asSystem(async (tx) => {
      await mail.sendMail(tx, newMail());
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    await work();
    expect(inbox.mails).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('that was sent keeps neither its words nor its address', async () => {
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    expect(JSON.stringify(await rows())).toContain('secret-code');
    await work();
    const [row] = await rows();
    expect(row).toMatchObject({
      state: 'sent',
      subject: 'Größe',
      reason: null,
      toAddress: null,
      text: null,
      html: null,
    });
    expect(JSON.stringify(row)).not.toMatch(/secret-code|ann@/);
  });

  test('is tried again after a failure that passes, and sent once', async () => {
    inbox.refuse(451);
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    await work();
    expect(inbox.attempts()).toBe(2);
    expect(inbox.mails).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'sent' }]);
  });

  test('refused for good is tried once, and says why without the address', async () => {
    inbox.refuse(550);
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    await work();
    expect(inbox.attempts()).toBe(1);
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'failed', reason: expect.stringContaining('550'), html: null });
    expect(JSON.stringify(row)).not.toMatch(/secret-code|ann@/);
  });

  test('that fails for a while is told of without its address, which its server says', async () => {
    inbox.refuse(450);
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    const [row] = await rows();
    const said = await mail.deliver({ mailId: row?.id ?? '' }, { isLastAttempt: false }).catch((error) => error);
    expect(said).toMatchObject({ message: expect.stringMatching(/450.*<…>/) });
    expect(inspect(said, { depth: 9 })).not.toContain('ann@');
  });

  test('that fails to the end is kept as failed', async () => {
    inbox.refuse(451);
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    const [row] = await rows();
    await mail.deliver({ mailId: row?.id ?? '' }, { isLastAttempt: true });
    expect(await rows()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('451'), text: null }]);
  });

  test('given to two workers at once, or again, goes out once', async () => {
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    const [row] = await rows();
    const deliver = () => mail.deliver({ mailId: row?.id ?? '' }, { isLastAttempt: false });
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect(inbox.mails).toHaveLength(1);
    await mail.deliver({ mailId: randomUUID() }, { isLastAttempt: false });
  });

  test('is forgotten 30 days after it was sent, and given up a day after its job was lost', async () => {
    let now = Date.now() - 40 * day;
    mail = createMail({ db, jobs, mailer, config, voiceOf, clock: () => new Date(now) });
    await db.asSystem((tx) => mail.sendMail(tx, newMail({ subject: 'old' })));
    await work();
    await db.asSystem((tx) => tx.update(mails).set({ state: 'sent' }).where(eq(mails.subject, 'old')));
    now = Date.now() - 2 * day;
    await db.asSystem((tx) => tx.insert(mails).values({ ...lost(), createdAt: new Date(now) }));
    now = Date.now();
    await db.asSystem((tx) => tx.insert(mails).values({ ...lost(), subject: 'waiting', createdAt: new Date(now) }));
    await mail.clear();
    const left = await rows();
    expect(left.map(({ subject, state, html }) => [subject, state, html]).sort()).toEqual([
      ['lost', 'failed', null],
      ['waiting', 'waiting', 'words'],
    ]);
  });
});

function lost() {
  const words = { subject: 'lost', text: 'words', html: 'words' };
  return { id: randomUUID(), toHash: 'x', toAddress: 'ann@example.com', state: 'waiting' as const, ...words };
}

describe('what comes from outside', () => {
  const hostile = '<script>alert(1)</script>"\'& <img src=x onerror=alert(1)> </title></style>';

  test('is text in the HTML, wherever it stands', async () => {
    const action = { label: hostile, url: `https://footnote.test/?a="><script>alert(1)</script>` };
    const words = { subject: hostile, heading: hostile, paragraphs: [hostile], note: hostile, action };
    mail = createMail({
      db,
      jobs,
      mailer,
      config,
      voiceOf: async () => ({ language: 'en', origin: config.publicUrl, brand: { name: hostile } }),
    });
    await db.asSystem((tx) => mail.sendMail(tx, newMail(words)));
    await work();
    expect(inbox.mails[0]?.html).not.toMatch(/<script|<img|<\/title>.*<\/title>/s);
    expect(inbox.mails[0]?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(inbox.mails[0]?.subject).toBe(hostile);
  });

  test('adds no line, turns no reading direction, and becomes no header', async () => {
    const name = 'Acme\r\nBcc: eve@example.org\r\n\r\nPay here: https://evil.example\u202e moc.emca\0';
    await db.asSystem((tx) => mail.sendMail(tx, newMail({ subject: name, heading: name, paragraphs: [name] })));
    await work();
    const [received] = inbox.mails;
    expect(new Set(received?.to)).toEqual(new Set(['ann@example.com']));
    expect(received?.headers).not.toContain('bcc');
    expect(received?.text.split('\n').filter((line) => /^(Bcc|Pay here)/.test(line))).toEqual([]);
    expect(`${received?.text}${received?.html}${received?.subject}`).not.toMatch(/[\u202e\0]/);
  });

  test('can be a logo', async () => {
    const logoUrl = 'https://acme.example/logo.png?a=1&b="2"';
    mail = createMail({
      db,
      jobs,
      mailer,
      config,
      voiceOf: async () => ({ language: 'en', origin: config.publicUrl, brand: { name: 'Acme', logoUrl } }),
    });
    await db.asSystem((tx) => mail.sendMail(tx, newMail()));
    await work();
    expect(inbox.mails[0]?.html).toContain('src="https://acme.example/logo.png?a=1&amp;b=&quot;2&quot;" alt="Acme"');
  });
});
