import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import { type CallInput, type CallMessage, type CallName, calls } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { connectApp } from '#server/testing/connected-apps.ts';
import { insertKey } from '#server/testing/keys.ts';
import { connectMcp, eras } from '#server/testing/mcp-client.ts';
import { readZip } from '#server/testing/read-zip.ts';

/** Stand in the hidden document and its attachment alone; nobody who does not see it may ever read one of them. */
const marker = 'quillonzephyr';
const attached = 'brindlewharf';
const tag = 'vexillumtag';
const hiddenText = `# Project ${marker}

The ${marker} budget for the harbour crane is 417,300 euros. Its Rapid Quayside Zoning Permit (RQZP) ends in May.

## Who leads the ${marker} works?

The ${marker} works are led by Agatha Thornquist.
`;
const openText = '# House rules\n\nThe cellar key hangs behind the green door. The canteen opens at noon.\n';
const hiddenName = `Plan ${marker}.md`;
const mailName = `Letter ${marker}.eml`;
const mail = [
  'From: Agatha <agatha@example.com>',
  'To: Board <board@example.com>',
  `Subject: About ${marker}`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="part"',
  '',
  '--part',
  'Content-Type: text/plain; charset=utf-8',
  '',
  `The ${marker} contract is attached.`,
  '--part',
  'Content-Type: text/plain; charset=utf-8; name="contract.txt"',
  'Content-Disposition: attachment; filename="contract.txt"',
  '',
  `The ${attached} clause binds both sides for nine years.`,
  '--part--',
  '',
].join('\r\n');

let app: TestApp;
let companyId: string;
let admin: Client;
let collectionId: string;
let groupId: string;
let hidden: string;
let attachment: string;
let open: string;
const name = `Board of ${marker}`;
let insider: Person;
let outsider: Person;
let inside: Client;
let outside: Client;
/** Of what the insider was answered. */
let answer: { queryId: string; cite: string };

const asked = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });
const uriOf = (file: string) => `gs://${app.config.bucket}/${companyId}/${file}`;

beforeAll(async () => {
  app = await startTestApp({ billing: 'stripe' });
  const made = await app.signUp();
  await app.setSubscription(made.company.id, { state: 'active', plan: 'enterprise' });
  companyId = made.company.id;
  admin = createClient(app.url, made.token);
  insider = await app.addMember(made.company);
  outsider = await app.addMember(made.company);
  inside = createClient(app.url, insider.token);
  outside = createClient(app.url, outsider.token);
  groupId = (await admin.call('createGroup', { name: `Board ${tag}`, userIds: [insider.uid] })).groupId;
  ({ collectionId } = await admin.call('createCollection', { name, access: 'restricted', groupIds: [groupId] }));
  open = (await admin.upload('Rules.md', Buffer.from(openText))).documentId;
  hidden = (await admin.upload(hiddenName, Buffer.from(hiddenText), 'replace', collectionId)).documentId;
  await admin.upload(mailName, Buffer.from(mail), 'replace', collectionId);
  await app.idle();
  attachment = (await admin.call('getCompanyFiles', null)).find(({ attachedTo }) => attachedTo)?.id ?? '';
  await admin.call('setFileTags', { documentId: hidden, tags: [tag] });
  const told = await inside.call('query', asked(`What is the ${marker} budget for the harbour crane?`));
  const [source] = told.sources;
  answer = { queryId: told.queryId, cite: new URL(source?.url ?? '', app.url).searchParams.get('cite') ?? '' };
  expect(source?.documentId).toBe(hidden);
});
afterAll(() => app.close());

/** What may stand in nothing that somebody gets who does not see the document; their own words are taken out before. */
const secrets = () => [
  marker,
  attached,
  tag,
  'thornquist',
  '417,300',
  'zoning',
  hidden,
  attachment,
  collectionId,
  groupId,
  answer.cite,
];

function expectNothingOf(said: unknown, own: unknown): void {
  const text = JSON.stringify(said).toLowerCase();
  const words = JSON.stringify(own ?? null).toLowerCase();
  for (const secret of secrets())
    if (!words.includes(secret.toLowerCase())) expect(text).not.toContain(secret.toLowerCase());
}

/** Whatever comes of a call, as its caller hears it. */
async function outcome<Name extends CallName>(client: Client, call: Name, input: CallInput<Name>) {
  const messages: CallMessage<Name>[] = [];
  try {
    const streams = calls[call].message !== undefined && call !== 'watchFiles';
    const result = streams
      ? await client.stream(call, input, (message) => messages.push(message))
      : await client.call(call, input);
    return { result, messages };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: error.toWire(), messages };
  }
}

/** The calls that members may make: each with what would bring the hidden document up. */
const questions = [
  `What is the ${marker} budget?`,
  'What is the quilonzephyr budget?',
  'quillonzephyrs',
  'What is the budget for the harbour crane?',
  'Who leads the works?',
  'When does the RQZP end?',
  'When does the permit end?',
  'Which clause binds both sides for nine years?',
];
const filters = () => [{}, { documentIds: [hidden] }, { documentIds: [hidden, open] }, { tags: [tag] }];
const dates = () => ({ uploadedAfter: '2000-01-01T00:00:00.000Z' });
const nothing: unknown[] = [null];
const tried: Partial<Record<CallName, () => unknown[]>> = {
  getCompanyFiles: () => nothing,
  getGoneDocuments: () => [{ documentIds: [hidden, attachment, randomUUID()] }],
  watchFiles: () => [],
  getFileLink: () => [hiddenName, mailName, `${mailName} › contract.txt`].map((file) => ({ gsUri: uriOf(file) })),
  listCollections: () => nothing,
  getDocument: () =>
    [hidden, attachment].flatMap((documentId) => [
      { documentId, version: 1 },
      { documentId, version: 1, cite: answer.cite },
      { documentId, version: 1, at: '0-60' },
    ]),
  getReadingView: () => [hidden, attachment].map((documentId) => ({ documentId, version: 1, from: 0, limit: 100 })),
  query: () => [
    ...questions.map((text) => asked(text)),
    ...[...filters(), dates()].map((chosen) => ({ ...asked('What is the budget?'), filters: chosen })),
    {
      history: [
        { role: 'user', parts: [{ text: 'What is the budget for the harbour crane?' }] },
        { role: 'model', parts: [{ text: 'It is known.' }] },
        { role: 'user', parts: [{ text: 'And who leads it?' }] },
      ],
    },
  ],
  searchPassages: () => [
    ...questions.map((query) => ({ query })),
    ...[...filters(), dates()].map((chosen) => ({ query: 'budget', filters: chosen })),
  ],
  rateAnswer: () => [{ queryId: answer.queryId, rating: 'up' }],
  getSuggestedQuestions: () => [null, { language: 'en' }, { language: 'de' }],
  startOwnExport: () => nothing,
  getExport: () => [],
  listExports: () => nothing,
  getSession: () => nothing,
  getAccountSecurity: () => nothing,
  listSessions: () => nothing,
  endSession: () => [{ sessionId: hidden }],
  endOtherSessions: () => nothing,
  sendEmailConfirmation: () => nothing,
  setDisplayName: () => [{ displayName: 'Somebody' }],
  setSignInMails: () => [],
  syncSubscription: () => nothing,
  // What proves who one is touches no document, and would end the session that all of this is asked in.
  reauthenticate: () => [],
  confirmBySingleSignOn: () => [],
  changePassword: () => [],
  beginSecondFactor: () => [],
  confirmSecondFactor: () => [],
  renewRecoveryCodes: () => [],
  removeSecondFactor: () => [],
  createApiKey: () => [{ name: 'Mine', kind: 'personal', scope: 'admin' }],
  listApiKeys: () => nothing,
  revokeApiKey: () => [{ keyId: hidden }],
  getAppRequest: () => [{ requestId: hidden }],
  allowApp: () => [{ requestId: hidden }],
  refuseApp: () => [{ requestId: hidden }],
  listConnectedApps: () => nothing,
  disconnectApp: () => [{ appId: hidden }],
};

const names = Object.keys(tried) as CallName[];

describe('what one may not see does not exist', () => {
  test('is tried in every call that members may make', () => {
    const all = (Object.keys(calls) as CallName[]).filter((call) => calls[call].access === 'member');
    expect(names.sort()).toEqual(all.sort());
  });

  test.each(names)('in %s', async (call) => {
    for (const input of tried[call]?.() ?? []) {
      const told = await outcome(outside, call, input as never);
      expectNothingOf(told, input);
    }
  });

  test.each(names.filter((call) => calls[call].scope !== null))('in %s by an API key', async (call) => {
    const { db } = app.app;
    for (const of of [{ uid: outsider.uid }, {}, { collectionIds: [] }]) {
      const client = createClient(app.url, (await insertKey(db, companyId, { ...of, scope: 'admin' })).key);
      for (const input of tried[call]?.() ?? []) expectNothingOf(await outcome(client, call, input as never), input);
    }
  });

  test.each(eras)('in no tool or resource of the %s MCP', async (era) => {
    const { db } = app.app;
    const keyOf = async (of: Parameters<typeof insertKey>[2]) => ({
      path: '/mcp/key',
      bearer: (await insertKey(db, companyId, of)).key,
    });
    const appOf = async (person: Person) => ({ path: '/mcp', bearer: (await connectApp(app, person)).access_token });
    const tell = async ({ path, bearer }: { path: string; bearer: string }) => {
      const mcp = await connectMcp(app.url + path, bearer, era);
      const place = new URLSearchParams({ cite: answer.cite });
      const ids = [hidden, attachment, `${hidden}/1?${place}`, `${hidden}/1?at=0-60`, `${hidden}/1?from=1`];
      const uses: [string, Record<string, string>][] = [
        ...questions.flatMap((text): [string, Record<string, string>][] => [
          ['search', { query: text }],
          ['ask', { question: text }],
        ]),
        ...ids.map((id): [string, Record<string, string>] => ['fetch', { id }]),
      ];
      const told: [unknown, unknown][] = [[await mcp.listResources(), null]];
      for (const [name, input] of uses) {
        const heard: unknown[] = [];
        const result = await mcp.callTool({ name, arguments: input }, { onprogress: (step) => heard.push(step) });
        told.push([{ result, heard }, input]);
      }
      for (const id of [hidden, attachment]) {
        const uri = `footnote://documents/${id}`;
        const read = await mcp.readResource({ uri }).catch(({ code, message }) => ({ code, message }));
        told.push([read, uri]);
      }
      await mcp.close();
      return told;
    };
    const outsiders = [keyOf({ uid: outsider.uid }), keyOf({}), keyOf({ collectionIds: [] }), appOf(outsider)];
    for (const who of outsiders) for (const [said, own] of await tell(await who)) expectNothingOf(said, own);
    for (const who of [keyOf({ uid: insider.uid }), appOf(insider)])
      expect(JSON.stringify(await tell(await who))).toContain('417,300');
  });

  test('the same calls tell it to whoever may see it, so that they can be trusted to find it', async () => {
    const found = new Set<string>();
    for (const call of names)
      for (const input of tried[call]?.() ?? []) {
        const text = JSON.stringify(await outcome(inside, call, input as never)).toLowerCase();
        const own = JSON.stringify(input ?? null).toLowerCase();
        if (secrets().some((secret) => !own.includes(secret.toLowerCase()) && text.includes(secret.toLowerCase())))
          found.add(call);
      }
    expect([...found].sort()).toEqual(
      [
        'getCompanyFiles',
        'getDocument',
        'getReadingView',
        'getSuggestedQuestions',
        'listCollections',
        'query',
        'searchPassages',
      ].sort(),
    );
  });

  test('in no refusal of what admins alone may call', async () => {
    for (const call of (Object.keys(calls) as CallName[]).filter((name) => calls[name].access === 'admin')) {
      const told = await outcome(outside, call, { documentId: hidden, collectionId, groupId } as never);
      expect(told).toHaveProperty('error');
      expectNothingOf(told, null);
    }
  });

  test('in no route', async () => {
    const bearer = { Authorization: `Bearer ${outsider.token}` };
    const tus = { 'Tus-Resumable': '1.0.0' };
    const uploads = (await admin.call('getCompanyFiles', null)).map(({ id }) => id);
    const paths = [
      `/documents/${hidden}/1`,
      `/files/${hidden}`,
      `/exports/${hidden}`,
      `/v1/uploads/${hidden}`,
      ...uploads.map((id) => `/v1/uploads/${id}`),
      '/metrics',
      '/readyz',
      '/healthz',
    ];
    for (const path of paths)
      for (const method of ['GET', 'HEAD']) {
        const reply = await app.fetch(path, { method, headers: { ...bearer, ...tus } });
        expectNothingOf([...reply.headers, await reply.text()], path);
      }
  });

  test('in no mail', async () => {
    const mails: { to: string }[] = await (await app.fetch('/dev/outbox.json')).json();
    const own = mails.filter(({ to }) => to === outsider.email);
    // That their own data is ready, of the calls above.
    expect(own).not.toEqual([]);
    expectNothingOf(own, null);
  });

  test('what admins read of one collection is of that alone', async () => {
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const days = { from: day(-1), to: day(1) };
    const all = await admin.call('getAnalytics', days);
    const ofBoard = await admin.call('getAnalytics', { ...days, collectionId });
    const ofCompany = await admin.call('getAnalytics', { ...days, collectionId: companyId });
    expect(ofBoard.documents.map(({ documentId }) => documentId)).toContain(hidden);
    expect(ofBoard.asked).toBeGreaterThan(0);
    expect(ofBoard.asked).toBeLessThan(all.asked);
    expect(ofBoard).toMatchObject({ unanswered: 0, unansweredQuestions: [], people: 1 });
    expect(ofCompany.documents.map(({ documentId }) => documentId)).toEqual([open]);
    expectNothingOf(ofCompany.documents, null);
    const { csv } = await admin.call('exportAnalytics', { ...days, collectionId: companyId, table: 'documents' });
    expectNothingOf(csv, null);
    const people = await admin.call('exportAnalytics', { ...days, collectionId, table: 'people' });
    expect(people.csv).toContain(insider.email);
    expect(people.csv).not.toContain(outsider.email);
    await expect(admin.call('getAnalytics', { ...days, collectionId: randomUUID() })).rejects.toMatchObject({
      code: 'collection-not-found',
    });
  });

  test('a hidden document answers exactly as one that never was', async () => {
    const absent = randomUUID();
    for (const [call, of] of [
      ['getDocument', (documentId: string) => ({ documentId, version: 1 })],
      ['getReadingView', (documentId: string) => ({ documentId, version: 1, from: 0, limit: 10 })],
      ['searchPassages', (documentId: string) => ({ query: 'budget', filters: { documentIds: [documentId] } })],
    ] as const)
      expect(await outcome(outside, call, of(hidden))).toEqual(await outcome(outside, call, of(absent)));
    expect(await outcome(outside, 'getFileLink', { gsUri: uriOf(hiddenName) })).toEqual(
      await outcome(outside, 'getFileLink', { gsUri: uriOf('Nothing.md') }),
    );
    expect(await outside.call('getGoneDocuments', { documentIds: [hidden, open] })).toEqual({ gone: [hidden] });
  });

  test('what answers whoever sees only a part is as if that were all', async () => {
    const { sources } = await outside.call('query', asked('Where does the cellar key hang?'));
    expect(sources[0]?.documentId).toBe(open);
    expect((await outside.call('getCompanyFiles', null)).map(({ id }) => id)).toEqual([open]);
    expect(await outside.call('listCollections', null)).toMatchObject([{ collectionId: companyId, documents: 1 }]);
  });
});

/** Follows a stream of files, and gives what it says one after the other. */
function following(client: Client) {
  const told: CallMessage<'watchFiles'>[] = [];
  let ended: unknown;
  client
    .stream('watchFiles', null, (message) => told.push(message))
    .catch((error: unknown) => {
      ended = error;
    });
  return {
    told,
    /** @param what is waited for, which is said where it does not come */
    async until(what: string, holds: (message: CallMessage<'watchFiles'>) => boolean) {
      const message = `the stream of whoever sees a part never said: ${what}`;
      const isSaid = () => {
        if (ended !== undefined) throw ended;
        return told.some(holds);
      };
      await expect.poll(isSaid, { message }).toBe(true);
    },
  };
}

describe('a change is in effect at once', () => {
  test('of a move: in lists, answers, links and streams that are open, there and back', async () => {
    const moved = (await admin.upload('Moving.md', Buffer.from('# Moving\n\nThe ferry leaves at dawn.\n'))).documentId;
    await app.idle();
    const { url } = await outside.call('getFileLink', { gsUri: uriOf('Moving.md') });
    const cited = await outside.call('query', asked('When does the ferry leave?'));
    const { queryId } = cited;
    expect(cited.sources[0]?.documentId).toBe(moved);
    expect((await app.fetch(url)).status).toBe(200);
    const stream = following(outside);
    await stream.until('all files', ({ type }) => type === 'files');

    await admin.call('moveDocuments', { documentIds: [moved], collectionId });
    await stream.until(
      'the file that was moved away is gone',
      (message) => message.type === 'removed' && message.id === moved,
    );
    expect((await app.fetch(url)).status).toBe(404);
    const { passages } = await outside.call('searchPassages', { query: 'When does the ferry leave?' });
    expect(passages).toEqual([]);
    expect((await outside.call('query', asked('When does the ferry leave?'))).sources).toEqual([]);
    await expect(outside.call('rateAnswer', { queryId, rating: 'up' })).rejects.toMatchObject({
      code: 'answer-not-found',
    });
    const again = await inside.call('searchPassages', { query: 'When does the ferry leave?' });
    expect(again.passages[0]?.documentId).toBe(moved);

    await admin.call('moveDocuments', { documentIds: [moved], collectionId: companyId });
    await stream.until('the file is back', (message) => message.type === 'changed' && message.file.id === moved);
    expect((await outside.call('searchPassages', { query: 'When does the ferry leave?' })).passages).toHaveLength(1);
    expect((await app.fetch(url)).status).toBe(200);
    await outside.call('rateAnswer', { queryId, rating: 'up' });
    await admin.call('deleteFile', { filePath: `${companyId}/Moving.md` });
  });

  test('of whom a collection is for: a group, a person, everyone', async () => {
    const seen = async () => (await outside.call('getCompanyFiles', null)).some(({ id }) => id === hidden);
    const stream = following(outside);
    await stream.until('all files', ({ type }) => type === 'files');
    const update = (change: Partial<CallInput<'updateCollection'>>) =>
      admin.call('updateCollection', { collectionId, name, access: 'restricted', ...change });
    for (const [give, take] of [
      [() => update({ access: 'everyone' }), () => update({})],
      [() => update({ userIds: [outsider.uid] }), () => update({ userIds: [] })],
      [
        () => admin.call('updateGroup', { groupId, name: 'Board', userIds: [insider.uid, outsider.uid] }),
        () => admin.call('updateGroup', { groupId, name: 'Board', userIds: [insider.uid] }),
      ],
    ]) {
      const has = (message: CallMessage<'watchFiles'>, wanted: boolean) =>
        message.type === 'files' && message.files.some(({ id }) => id === hidden) === wanted;
      stream.told.length = 0;
      await give?.();
      expect(await seen()).toBe(true);
      await stream.until('all files, the hidden one among them', (message) => has(message, true));
      stream.told.length = 0;
      await take?.();
      expect(await seen()).toBe(false);
      await stream.until('all files without the hidden one', (message) => has(message, false));
    }
  });

  test('streams say nothing of what changes out of sight, and give no place to come back to', async () => {
    const stream = following(outside);
    await stream.until('all files', ({ type }) => type === 'files');
    await admin.upload(hiddenName, Buffer.from(`${hiddenText}\nOnce more.\n`));
    await admin.call('setFileTags', { documentId: hidden, tags: [tag, 'more'] });
    const later = (await admin.upload('Later.md', Buffer.from('# Later\n\nNothing of note.\n'))).documentId;
    await app.idle();
    await stream.until('the later file', (message) => message.type === 'changed' && message.file.id === later);
    expectNothingOf(stream.told, null);
    expect(stream.told.some((message) => 'cursor' in message && message.cursor !== 'none.0')).toBe(false);
    expect(stream.told.filter(({ type }) => type === 'removed')).toEqual([]);
  });

  test('what somebody has taken out of their own data before is made anew without it', async () => {
    const ownData = async (client: Client) => {
      const { exportId } = await client.call('startOwnExport', null);
      await app.idle();
      const { url } = await client.call('getExport', { exportId });
      return { url: url ?? '', exportId };
    };
    const contents = async (url: string) => {
      const zip = await readZip(Buffer.from(await (await app.fetch(url)).arrayBuffer()));
      return [...zip.values()].map(String).join('\n');
    };
    await inside.call('getFileLink', { gsUri: uriOf(hiddenName) });
    const before = await ownData(inside);
    expect(await contents(before.url)).toContain('417,300');
    await admin.call('updateGroup', { groupId, name: 'Board', userIds: [] });
    expect((await app.fetch(before.url)).status).toBe(404);
    await app.idle();
    const { url } = await inside.call('getExport', { exportId: before.exportId });
    const after = (await contents(url ?? '')).toLowerCase();
    for (const secret of ['417,300', 'thornquist', hiddenName.toLowerCase()]) expect(after).not.toContain(secret);
    await admin.call('updateGroup', { groupId, name: 'Board', userIds: [insider.uid] });
    await app.idle();
  });

  test('an attachment is where its mail is, and does not go alone', async () => {
    await expect(
      admin.call('moveDocuments', { documentIds: [attachment], collectionId: companyId }),
    ).rejects.toMatchObject({ code: 'moves-with-mail' });
    const files = await admin.call('getCompanyFiles', null);
    const mailId = files.find(({ id }) => id === attachment)?.attachedTo ?? '';
    await admin.call('moveDocuments', { documentIds: [mailId], collectionId: companyId });
    const seen = (await outside.call('getCompanyFiles', null)).map(({ id }) => id);
    expect(seen).toContain(attachment);
    await admin.call('moveDocuments', { documentIds: [mailId, attachment], collectionId });
    expect((await outside.call('getCompanyFiles', null)).map(({ id }) => id)).not.toContain(attachment);
  });

  test('a new version stays where the file is, and a collection that goes gives its documents to another', async () => {
    const files = await admin.call('getCompanyFiles', null);
    expect(files.find(({ id }) => id === hidden)).toMatchObject({ version: 2, collectionId });
    const { collectionId: other } = await admin.call('createCollection', { name: 'Other', access: 'restricted' });
    await admin.call('deleteCollection', { collectionId, moveTo: other });
    expect((await outside.call('getCompanyFiles', null)).some(({ id }) => id === hidden)).toBe(false);
    expect((await inside.call('getCompanyFiles', null)).some(({ id }) => id === hidden)).toBe(false);
    await admin.call('deleteCollection', { collectionId: other, moveTo: companyId });
    expect((await outside.call('getCompanyFiles', null)).some(({ id }) => id === hidden)).toBe(true);
  });
});

describe('without the plan', () => {
  const refused = { code: 'feature-not-in-plan' };

  test('nobody more is let in, nothing more is kept from anyone, and all of it can be given up', async () => {
    const made = await app.signUp();
    const { id } = made.company;
    const client = createClient(app.url, made.token);
    await app.setSubscription(id, { state: 'active', plan: 'professional' });
    const [ada, ben] = [await app.addMember(made.company), await app.addMember(made.company)];
    const { groupId: group } = await client.call('createGroup', { name: 'Leads', userIds: [ada.uid, ben.uid] });
    const ofBoard = { name: 'Board', access: 'restricted' as const };
    const given = { userIds: [ada.uid], groupIds: [group] };
    const { collectionId: board } = await client.call('createCollection', { ...ofBoard, ...given });
    const ofOpen = { name: 'Handbooks', access: 'everyone' as const };
    const { collectionId: handbooks } = await client.call('createCollection', ofOpen);
    const plans = await client.upload(
      'Plans.md',
      Buffer.from('# Plans\n\nThe pier is closed in June.\n'),
      'replace',
      board,
    );
    const rules = await client.upload('Rules.md', Buffer.from(openText));
    await app.idle();
    const seenBy = async ({ token }: Person) =>
      (await createClient(app.url, token).call('getCompanyFiles', null)).map(({ name }) => name).sort();
    const cay = await app.addMember(made.company);

    await app.setSubscription(id, { state: 'active', plan: 'basic' });
    // What was restricted stays so, for the same people.
    expect([await seenBy(ada), await seenBy(ben), await seenBy(cay)]).toEqual([
      ['Plans.md', 'Rules.md'],
      ['Plans.md', 'Rules.md'],
      ['Rules.md'],
    ]);
    for (const extending of [
      () => client.call('createCollection', { name: 'New', access: 'everyone' }),
      () => client.call('createGroup', { name: 'New', userIds: [] }),
      () => client.call('updateCollection', { collectionId: board, ...ofBoard, userIds: [ada.uid, cay.uid] }),
      () => client.call('updateCollection', { collectionId: handbooks, name: 'Handbooks', access: 'restricted' }),
      () => client.call('updateGroup', { groupId: group, name: 'Leads', userIds: [ada.uid, cay.uid] }),
      () => client.call('moveDocuments', { documentIds: [rules.documentId], collectionId: board }),
      () => client.call('deleteCollection', { collectionId: handbooks, moveTo: board }),
      () => client.upload('More.md', Buffer.from(openText), 'replace', board),
      () => client.call('getAnalytics', { from: '2026-01-01', to: '2026-01-02', collectionId: board }),
    ])
      await expect(extending()).rejects.toMatchObject(refused);
    // A new version of what is hidden is as hidden.
    await client.upload('Plans.md', Buffer.from('# Plans\n\nThe pier is closed in July.\n'));
    await app.idle();
    expect(await seenBy(cay)).toEqual(['Rules.md']);

    await client.call('updateGroup', { groupId: group, name: 'Leads', userIds: [ada.uid] });
    expect(await seenBy(ben)).toEqual(['Rules.md']);
    await client.call('updateCollection', { collectionId: board, ...ofBoard, userIds: [], groupIds: [group] });
    await client.call('deleteGroup', { groupId: group });
    expect(await seenBy(ada)).toEqual(['Rules.md']);
    await client.call('moveDocuments', { documentIds: [plans.documentId], collectionId: handbooks });
    expect(await seenBy(cay)).toEqual(['Plans.md', 'Rules.md']);
    await client.call('updateCollection', { collectionId: board, name: 'Board', access: 'everyone' });
    await client.call('deleteCollection', { collectionId: board, moveTo: id });
    expect((await client.call('listCollections', null)).map(({ name: called }) => called)).toEqual([
      'Company',
      'Handbooks',
    ]);
  });

  test('nor may an unpaid company extend it, but take it away', async () => {
    const made = await app.signUp();
    const client = createClient(app.url, made.token);
    await app.setSubscription(made.company.id, { state: 'active', plan: 'professional' });
    const ada = await app.addMember(made.company);
    const { groupId: group } = await client.call('createGroup', { name: 'Leads', userIds: [ada.uid] });
    await app.setSubscription(made.company.id, { state: 'canceled', plan: 'professional' });
    const wider = { groupId: group, name: 'Leads', userIds: [ada.uid, made.admin.uid] };
    await expect(client.call('updateGroup', wider)).rejects.toMatchObject({ code: 'subscription-required' });
    await client.call('updateGroup', { groupId: group, name: 'Leads', userIds: [] });
  });
});

test('an admin who becomes a member sees at once what members see, in their own data, too', async () => {
  const made = await app.signUp();
  const { id } = made.company;
  const client = createClient(app.url, made.token);
  await app.setSubscription(id, { state: 'active', plan: 'professional' });
  const { collectionId: board } = await client.call('createCollection', { name: 'Board', access: 'restricted' });
  await client.upload('Plans.md', Buffer.from('# Plans\n\nThe pier is closed in June.\n'), 'replace', board);
  await app.idle();
  const second = await app.addMember(made.company, { role: 'admin' });
  const before = createClient(app.url, second.token);
  expect((await before.call('query', asked('When is the pier closed?'))).answered).toBe(true);
  const { exportId } = await before.call('startOwnExport', null);
  await app.idle();
  await client.call('setUserRole', { uid: second.uid, role: 'member' });
  await app.idle();
  const { idToken } = await createClient(app.url).call('signIn', { email: second.email, password: second.password });
  const after = createClient(app.url, idToken);
  expect(await after.call('getCompanyFiles', null)).toEqual([]);
  const { url } = await after.call('getExport', { exportId });
  const zip = await readZip(Buffer.from(await (await app.fetch(url ?? '')).arrayBuffer()));
  expect([...zip.values()].map(String).join('\n')).not.toContain('June');
});
