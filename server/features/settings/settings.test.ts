import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { mailLanguages } from '#contract/settings.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { auditEvents, companies, companyBrands, users } from '#server/db/schema.ts';
import { mailTexts } from '#server/features/mail/texts/texts.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { leastHoldMs } from '#server/testing/event-loop.ts';
import { uniqueEmail } from '#server/testing/factories.ts';
import { meanwhile } from '#server/testing/hold.ts';
import { png } from '#server/testing/png.ts';
import { sendAs } from '#server/testing/send-as.ts';

/** What one picture may cost everybody else at once. */
const maxHoldMs = 40;
/** Filled by the tests, since ids of companies are made there. */
const brandHosts = new Map<string, string>();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe', brandHosts });
});
afterAll(() => app.close());

async function newCompany(plan: 'basic' | 'professional' | 'enterprise' = 'enterprise') {
  const { company, admin } = await app.signUp();
  await app.setSubscription(company.id, { state: 'active', plan });
  return { company, admin, client: createClient(app.url, admin.token) };
}

interface SentMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

async function mailsTo(email: string): Promise<SentMail[]> {
  await app.idle();
  const all: SentMail[] = await (await app.fetch('/dev/outbox.json')).json();
  return all.filter(({ to }) => to === email);
}

const invited = async (client: Client, company: { id: string }): Promise<SentMail> => {
  const email = uniqueEmail('invited');
  await client.call('inviteUser', { email, companyId: company.id });
  const [mail] = await mailsTo(email);
  if (!mail) throw new Error('no mail');
  return mail;
};

describe('the company', () => {
  test('is called as its admin wants, in the session of everyone; the audit log says what it was', async () => {
    const { company, admin, client } = await newCompany();
    const member = await app.addMember(company);
    const { name, timeZone } = await client.call('updateCompany', { name: 'شركة الشمال', timeZone: 'Asia/Dubai' });
    expect([name, timeZone]).toEqual(['شركة الشمال', 'Asia/Dubai']);
    expect((await app.call('getSession', null, { token: member.token })).company.name).toBe('شركة الشمال');
    // The days of its analytics begin there.
    expect((await client.call('getAnalyticsSettings', null)).timeZone).toBe('Asia/Dubai');
    const [event] = await app.app.db.asSystem((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.companyId, company.id), eq(auditEvents.action, 'company-changed'))),
    );
    expect(event).toMatchObject({
      actorEmail: admin.email,
      details: { before: { name: 'Example Company', timeZone: 'UTC' }, after: { name: 'شركة الشمال' } },
    });
  });

  test.each([
    [{ name: 'Call https://evil.example' }, 'invalid-company-name'],
    [{ name: ' ' }, 'invalid-input'],
    [{ timeZone: 'Mars/Olympus' }, 'invalid-input'],
    [{ timeZone: '+02:00' }, 'invalid-input'],
    // Browsers know this one, and PostgreSQL, which counts the days, does not.
    [{ timeZone: 'AET' }, 'invalid-input'],
  ])('%o is refused', async (change, code) => {
    const { client } = await newCompany();
    await expect(client.call('updateCompany', change)).rejects.toMatchObject({ code });
  });

  test('keeps what two admins say at once of how long sessions last', async () => {
    const { company, client } = await newCompany();
    const ofCompany = eq(companies.id, company.id);
    const outcome = await meanwhile(app.app.db, company.id, () => client.call('setSessionDays', { days: 7 }), [
      (tx) => tx.update(companies).set({ sessionIdleMinutes: 30 }).where(ofCompany),
      async () => {},
    ]);
    expect(outcome).toBe('done');
    expect(await client.call('getCompanySettings', null)).toMatchObject({ sessionDays: 7, sessionIdleMinutes: 30 });
  });

  test('its people are mailed in its language', async () => {
    const { company, client } = await newCompany();
    expect(await invited(client, company)).toMatchObject({ subject: 'You are invited to Footnote' });
    await client.call('updateCompany', { mailLanguage: 'de' });
    const mail = await invited(client, company);
    expect(mail.subject).toBe('Sie sind zu Footnote eingeladen');
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.html).toContain('Oder öffnen Sie diese Adresse:');
    expect(mail.text).toContain('Einladung annehmen:');
  });
});

test.each(mailLanguages)('every mail in %s says everything', (language) => {
  const texts = mailTexts[language];
  const [name, url] = ['Zedernholz', 'https://footnote.test/x'];
  const dated = { day: '3.7.', url };
  const facts = { files: ['a.pdf'], moreFiles: 2, questions: ['Why?'], moreQuestions: 3, url };
  const all = [
    texts.confirmEmail(name, url),
    texts.resetPassword(name, url),
    texts.passwordChanged(name, url),
    texts.invitationExpired(name, url),
    texts.invitation(name, url, { company: 'Nordwind', inviter: 'ann@example.com' }),
    texts.invitation(name, url, { company: null, inviter: null }),
    texts.paymentFailed(name, dated),
    texts.graceEndsSoon(name, dated),
    texts.accessStopped(name, dated),
    texts.subscriptionEnds(name, dated),
    texts.subscriptionEnded(name, dated),
    texts.digest(name, facts),
  ];
  for (const mail of all) {
    expect(mail.subject).toContain(name);
    expect(mail.action?.url).toBe(url);
    expect(mail.heading).not.toBe('');
    expect(mail.paragraphs.every((words) => words.length > 2)).toBe(true);
    expect(JSON.stringify(mail)).not.toMatch(/undefined|null|\[object/);
  }
  expect(all[4]?.paragraphs.join()).toMatch(/ann@example\.com.*Nordwind/);
  expect(all[11]?.paragraphs.join('\n')).toMatch(/a\.pdf[\s\S]*2[\s\S]*Why\?[\s\S]*3/);
  // No language but English says the words of English.
  if (language !== 'en')
    expect(all.map(({ heading }) => heading)).not.toContain(mailTexts.en.resetPassword('', '').heading);
});

describe('a brand of its own', () => {
  const logo = png({ width: 4, height: 2 });

  test('is shown to the company’s people and in its mails, and not to others', async () => {
    const { company, client } = await newCompany();
    const member = await app.addMember(company);
    const { brand } = await client.call('updateBrand', {
      name: 'Nordwind Wissen',
      accent: '#7A1F3F',
      logo: logo.toString('base64'),
    });
    const { branding } = await app.call('getSession', null, { token: member.token });
    expect(branding).toMatchObject({ name: 'Nordwind Wissen', accent: '#7a1f3f', logoUrl: brand.logoUrl });
    const mail = await invited(client, company);
    expect(mail.subject).toBe('You are invited to Nordwind Wissen');
    expect(mail.html).toContain(`src="${app.config.publicUrl}${brand.logoUrl}"`);
    const other = await newCompany();
    expect((await other.client.call('getSession', null)).branding).toMatchObject({ name: 'Footnote' });
    expect((await app.call('getSettings', null)).branding.name).toBe('Footnote');
    const picture = await app.fetch(brand.logoUrl ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    const swapped = (brand.logoUrl ?? '').replace(company.id, other.company.id);
    expect((await app.fetch(swapped)).status).toBe(404);
  });

  test('has no address in its name, and one of old stands in no mail: a stranger who is invited would follow it', async () => {
    const { company, client } = await newCompany();
    const name = 'Your bonus: evil.example/x';
    await expect(client.call('updateBrand', { name })).rejects.toMatchObject({ code: 'invalid-company-name' });
    await client.call('updateBrand', { name: 'Nordwind' });
    await app.app.db.asSystem((tx) =>
      tx.update(companyBrands).set({ name }).where(eq(companyBrands.companyId, company.id)),
    );
    const mail = await invited(client, company);
    expect(mail.subject).toBe('You are invited to Footnote');
    expect(mail.text + mail.html).not.toContain('evil.example');
  });

  test('goes with the plan that has it, and comes back with it; what is taken back is gone', async () => {
    const { company, client } = await newCompany();
    await client.call('updateBrand', { name: 'Nordwind Wissen', logo: logo.toString('base64') });
    await app.setSubscription(company.id, { state: 'active', plan: 'professional' });
    expect((await client.call('getSession', null)).branding.name).toBe('Footnote');
    expect((await invited(client, company)).subject).toBe('You are invited to Footnote');
    await expect(client.call('updateBrand', { name: 'Other' })).rejects.toMatchObject({
      code: 'feature-not-in-plan',
      details: { plan: 'enterprise' },
    });
    await app.setSubscription(company.id, { state: 'active', plan: 'enterprise' });
    expect((await client.call('getSession', null)).branding.name).toBe('Nordwind Wissen');
    const before = (await client.call('getCompanySettings', null)).brand.logoUrl ?? '';
    await client.call('updateBrand', { name: null, logo: null });
    expect((await client.call('getSession', null)).branding).toEqual({ name: 'Footnote' });
    expect((await app.fetch(before)).status).toBe(404);
  });

  test('stands on the pages of its host name before anyone signs in, and its mails lead there, while its plan has it', async () => {
    const { company, admin, client } = await newCompany();
    brandHosts.set('wissen.localhost', company.id);
    const shown = { name: 'Nordwind Wissen', accent: '#7a1f3f' };
    const { brand } = await client.call('updateBrand', { ...shown, logo: logo.toString('base64') });
    const brandingAt = async (host: string) => {
      const headers = { 'content-type': 'application/json', host };
      const options = { method: 'POST', body: '{"data":null}' };
      return JSON.parse((await sendAs(`${app.url}/v1/getSettings`, headers, options)).body).result.branding;
    };
    expect(await brandingAt('Wissen.localhost:3000')).toEqual({ ...shown, logoUrl: brand.logoUrl });
    expect(await brandingAt('other.localhost')).toEqual({ name: 'Footnote' });
    // Whoever signs in there belongs to the company they belong to.
    const stranger = await newCompany();
    const signIn = { data: { email: stranger.admin.email, password: stranger.admin.password } };
    const { body } = await sendAs(
      `${app.url}/v1/signIn`,
      { 'content-type': 'application/json', host: 'wissen.localhost' },
      { method: 'POST', body: JSON.stringify(signIn) },
    );
    const session = await app.call('getSession', null, { token: JSON.parse(body).result.idToken });
    expect(session.branding).toEqual({ name: 'Footnote' });
    const mail = await invited(client, company);
    expect(mail.text).toContain('http://wissen.localhost/login?oobCode=');
    expect(mail.html).toContain(`src="http://wissen.localhost${brand.logoUrl}"`);
    expect((await invited(stranger.client, stranger.company)).text).toContain(
      'http://footnote.localhost/login?oobCode=',
    );
    await app.setSubscription(company.id, { state: 'active', plan: 'professional' });
    expect(await brandingAt('wissen.localhost')).toEqual({ name: 'Footnote' });
    await app.call('sendPasswordReset', { email: admin.email });
    expect((await mailsTo(admin.email)).at(-1)?.text).toContain('http://footnote.localhost/login?oobCode=');
    brandHosts.set('wissen.localhost', '00000000-0000-4000-8000-000000000001');
    expect(await brandingAt('wissen.localhost')).toEqual({ name: 'Footnote' });
  });

  test('its logo is written anew from its pixels, without what else was in the file', async () => {
    const { client } = await newCompany();
    const hidden = png({ width: 4, height: 2, text: 'Comment\0<script>secret</script>' });
    const { brand } = await client.call('updateBrand', {
      logo: Buffer.concat([hidden, Buffer.from('PK tail')]).toString('base64'),
    });
    const shown = Buffer.from(await (await app.fetch(brand.logoUrl ?? '')).arrayBuffer());
    expect(shown.toString('latin1')).not.toMatch(/secret|tail|tEXt/);
    expect(shown).toEqual(
      Buffer.from(
        await (
          await app.fetch((await client.call('updateBrand', { logo: logo.toString('base64') })).brand.logoUrl ?? '')
        ).arrayBuffer(),
      ),
    );
  });

  test.each([
    ['no picture', Buffer.from('GIF89a, or so')],
    ['one that is cut off', logo.subarray(0, 50)],
    ['one that is damaged', Buffer.concat([logo.subarray(0, 45), Buffer.from([1, 2]), logo.subarray(47)])],
    ['too wide a one', png({ width: 801, height: 1 })],
    ['an interlaced one', png({ width: 4, height: 2, interlace: 1 })],
    ['one with fewer pixels than it says', png({ width: 4, height: 2, data: deflateSync(Buffer.alloc(5)) })],
    ['one that grows to more than it says', png({ width: 4, height: 2, data: deflateSync(Buffer.alloc(10_000_000)) })],
  ])('%s is refused as a logo', async (_, bytes) => {
    const { client } = await newCompany();
    await expect(client.call('updateBrand', { logo: bytes.toString('base64') })).rejects.toMatchObject({
      code: 'invalid-logo',
    });
  });

  test('a logo whose pixels are hard to pack holds nobody up', async () => {
    const { client } = await newCompany();
    const line = 1 + 800 * 4;
    // Long runs of the same, each with an end of its own: a packer looks through all those before for the longest.
    const pixels = Buffer.alloc(200 * line, 97);
    for (let at = 0, end = 1; at < pixels.length; at += 60) {
      end = Math.imul(end, 1_103_515_245) + 12_345;
      pixels[at] = end >>> 16;
    }
    for (let row = 0; row < 200; row += 1) pixels[row * line] = 0;
    const hard = png({ width: 800, height: 200, data: deflateSync(pixels) }).toString('base64');
    const held = await leastHoldMs(maxHoldMs, () => client.call('updateBrand', { logo: hard }));
    expect(held).toBeLessThanOrEqual(maxHoldMs);
  });

  test('an accent that cannot be read is refused', async () => {
    const { client } = await newCompany();
    await expect(client.call('updateBrand', { accent: '#ffee00' })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('what an admin is mailed about', () => {
  const digest = async ({ admin }: { admin: Person }) => {
    await app.app.db.asSystem((tx) => app.app.jobs.enqueue(tx, 'mail-digests', {}, { singletonKey: 'all' }));
    return (await mailsTo(admin.email)).filter(({ subject }) => subject.includes('what needs a look'));
  };
  const ask = (client: Client, text: string) =>
    client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });

  test('files that failed and questions without an answer are told once, to who wants it', async () => {
    const { company, admin, client } = await newCompany();
    const quiet = await app.addMember(company, { role: 'admin' });
    await client.upload('Rules.txt', Buffer.from('The cellar key hangs behind the door.'));
    await app.idle();
    await ask(client, 'How many moons has Saturn?');
    await client.call('setDigest', { failedFiles: true, unanswered: true });
    // From now on, not what was before.
    await ask(client, 'How many moons has Jupiter?');
    await client.call('tryChatAgent', { question: 'How many moons has Mars?' });
    await client.upload('Broken.pdf', Buffer.from('%PDF-1.7\nnothing of a file'));
    await app.idle();
    const [mail, ...more] = await digest({ admin });
    expect(more).toEqual([]);
    expect(mail?.text).toContain('• Broken.pdf');
    expect(mail?.text).toContain('• How many moons has Jupiter?');
    expect(mail?.text).not.toMatch(/Saturn|Mars|Rules/);
    expect(await digest({ admin })).toHaveLength(1);
    expect(await digest({ admin: quiet })).toEqual([]);
  });

  test('who is no admin any more is told nothing, and who switched it off', async () => {
    const { company, admin, client } = await newCompany();
    await client.call('setDigest', { failedFiles: false, unanswered: true });
    await ask(client, 'How many moons has Jupiter?');
    const ofAdmin = and(eq(users.companyId, company.id), eq(users.id, admin.uid));
    const become = (role: 'admin' | 'member') =>
      app.app.db.asSystem((tx) => tx.update(users).set({ role }).where(ofAdmin));
    await become('member');
    expect(await digest({ admin })).toEqual([]);
    await become('admin');
    await client.call('setDigest', { failedFiles: false, unanswered: false });
    expect(await digest({ admin })).toEqual([]);
    expect((await client.call('getCompanySettings', null)).digest).toEqual({ failedFiles: false, unanswered: false });
  });
});
