import { readFile } from 'node:fs/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { createClient } from '#client/client.ts';
import { usualAgent } from '#contract/agent.ts';
import type { CallInput, CallMessage, CallName, CallOutput } from '#contract/calls.ts';
import type { Example, Examples } from './document.ts';

/** A running service, with nobody in it. */
export interface Service {
  url: string;
  /** Resolves when no job is waiting or running. */
  idle: () => Promise<void>;
}

const admin = { email: 'katrin@nordwind.example', password: 'north wind over the elbe' };
const samples = ['Travel policy 2026.pdf', 'Onboarding checklist.md', 'Staff handbook.docx'];
const question = 'How much may a hotel in Berlin cost per night?';

/** Makes every call that is open to keys, and those that one begins with, once: what they say are the examples. */
export async function tellStory({ url, idle }: Service): Promise<Examples> {
  const teller = createTeller(url);
  const user = await signUp(teller);
  const { documentIds, brokenId } = await uploadAndRead(teller, { user, idle });
  await ask(teller, idle);
  await settle(teller);
  await share(teller, { user, documentId: documentIds[2] });
  await beTold(teller, idle);
  await teller.call('getAuditLog', { action: 'file-tagged' });
  await teller.call('deleteFile', { filePath: `${user.companyId}/${samples[2]}` });
  await teller.call('deleteFiles', { documentIds: [brokenId] });
  await idle();
  return teller.examples;
}

type Teller = ReturnType<typeof createTeller>;
type User = CallOutput<'signUp'>['user'];

/** Makes calls, and keeps the first answer of each. */
function createTeller(url: string) {
  const examples: Examples = {};
  let bearer: string | undefined;
  return {
    url,
    examples,
    get bearer(): string {
      return bearer ?? '';
    },
    signedIn(idToken: string): void {
      bearer = idToken;
    },
    /** For what is no example. */
    client: () => createClient(url, bearer),
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const output = await createClient(url, bearer).call(name, input);
      examples[name] ??= { input, output };
      return output;
    },
    async stream<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const messages: CallMessage<Name>[] = [];
      const output = await createClient(url, bearer).stream(name, input, (message) => messages.push(message));
      examples[name] ??= { input, output, messages };
      return output;
    },
  };
}

async function signUp(teller: Teller): Promise<User> {
  const { call } = teller;
  await call('getSettings', null);
  await call('getPlans', null);
  const { user, idToken } = await call('signUp', { companyName: 'Nordwind Logistics', ...admin });
  await call('signIn', admin);
  teller.signedIn(idToken);
  await call('getSession', null);
  const { keyId } = await call('createApiKey', { name: 'Nightly upload', kind: 'personal', scope: 'write' });
  await call('listApiKeys', null);
  await call('revokeApiKey', { keyId });
  await call('inviteUser', { email: 'jonas@nordwind.example', companyId: user.companyId });
  const invited = (await call('listUsers', null)).find(({ state }) => state === 'invited');
  await call('resendInvitation', { uid: invited?.uid ?? '' });
  await call('withdrawInvitation', { uid: invited?.uid ?? '' });
  return user;
}

async function uploadAndRead(teller: Teller, { user, idle }: { user: User; idle: Service['idle'] }) {
  const { call, url, bearer } = teller;
  const client = teller.client();
  const uploaded: { documentId: string; name: string }[] = [];
  for (const name of samples) uploaded.push(await client.upload(name, await readFile(`samples/files/${name}`)));
  await client.upload('Broken.pdf', Buffer.from('%PDF-1.7\nThis is no more of a PDF than that.\n'));
  await idle();
  const [travel, checklist, handbook] = uploaded.map(({ documentId }) => documentId) as [string, string, string];
  const documents = await call('getCompanyFiles', null);
  const broken = documents.find(({ name }) => name === 'Broken.pdf')?.id ?? '';
  teller.examples.watchFiles = await firstOfWatch(url, bearer);
  await call('getGoneDocuments', { documentIds: [travel, user.uid] });
  await call('getDocument', { documentId: travel, version: 1 });
  await call('getReadingView', { documentId: checklist, version: 1, from: 0, limit: 3 });
  await call('getFileLink', { gsUri: `gs://${documents[0]?.bucket}/${user.companyId}/${samples[0]}` });
  await call('getStorage', null);
  await call('setFileTags', { documentId: travel, tags: ['Travel'] });
  await call('tagFiles', { documentIds: [travel, handbook], add: ['People'], remove: [] });
  await call('retryFile', { documentId: broken });
  await idle();
  await call('retryFiles', { documentIds: [broken] });
  await idle();
  await call('getUpload', { uploadId: await finishedUpload(url, bearer) });
  await idle();
  return { documentIds: [travel, checklist, handbook] as const, brokenId: broken };
}

/** What is asked, and what is counted of it. */
async function ask(teller: Teller, idle: Service['idle']): Promise<void> {
  const { call, stream } = teller;
  const { queryId } = await stream('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
  await teller.client().call('query', {
    history: [{ role: 'user', parts: [{ text: 'What is the name of the dog of the chief accountant?' }] }],
  });
  await call('rateAnswer', { queryId, rating: 'up', reason: 'It opened the very page.' });
  await call('searchPassages', { query: 'hotel per night', limit: 2 });
  await call('getSuggestedQuestions', { language: 'en' });
  await idle();
  const today = new Date().toISOString().slice(0, 10);
  const days = { from: today, to: today };
  const { unansweredQuestions } = await call('getAnalytics', days);
  const questionId = unansweredQuestions[0]?.questionId ?? '';
  await call('askAgain', { questionId });
  await call('setQuestionSolved', { questionId, solved: true });
  await call('listFeedback', days);
  await call('listAskers', days);
  await call('exportAnalytics', { ...days, table: 'questions' });
  await call('getAnalyticsSettings', null);
  await call('updateAnalyticsSettings', { questionRetentionDays: 365 });
}

/** How it answers, and who the company is. */
async function settle({ call }: Teller): Promise<void> {
  await call('saveChatAgent', { settings: { ...usualAgent, greeting: 'Ask me about the rules of the house.' } });
  await call('getChatAgent', null);
  await call('tryChatAgent', { question });
  await call('restoreChatAgent', { version: 1 });
  await call('getCompanySettings', null);
  await call('updateCompany', { timeZone: 'Europe/Berlin', mailLanguage: 'en' });
  await call('updateBrand', { name: 'Library', accent: '#1f4e79' });
}

/** Who sees what. */
async function share({ call }: Teller, { user, documentId }: { user: User; documentId: string }): Promise<void> {
  const { groupId } = await call('createGroup', { name: 'Board', userIds: [user.uid] });
  await call('updateGroup', { groupId, name: 'Management board', userIds: [user.uid] });
  await call('listGroups', null);
  const { collectionId } = await call('createCollection', { name: 'Board', access: 'restricted', groupIds: [groupId] });
  await call('updateCollection', { collectionId, name: 'Management', access: 'restricted', groupIds: [groupId] });
  await call('moveDocuments', { documentIds: [documentId], collectionId });
  await call('listCollections', null);
  await call('deleteCollection', { collectionId, moveTo: user.companyId });
  await call('deleteGroup', { groupId });
}

/** A webhook, to an address that is nobody's: what is sent does not arrive. */
async function beTold({ call }: Teller, idle: Service['idle']): Promise<void> {
  const url = 'https://hooks.nordwind.invalid/footnote';
  const { webhookId } = await call('createWebhook', { url, events: ['document.ready', 'question.unanswered'] });
  await call('updateWebhook', { webhookId, events: ['document.ready', 'document.failed', 'question.unanswered'] });
  const { deliveryId } = await call('sendTestEvent', { webhookId });
  await idle();
  await call('getWebhookLog', { webhookId });
  await call('resendDelivery', { webhookId, deliveryId });
  await call('rotateWebhookSecret', { webhookId });
  await call('listWebhooks', null);
  await idle();
  await call('deleteWebhook', { webhookId });
}

/** The first message; the rest comes while documents change, for about a minute. */
async function firstOfWatch(url: string, bearer: string): Promise<Example> {
  const left = new AbortController();
  const { body } = await fetch(`${url}/v1/watchFiles`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: '{"data":null}',
    signal: left.signal,
  });
  if (!body) throw new Error('the stream is empty');
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const { value } = await events.getReader().read();
  const { message } = JSON.parse(value?.data ?? '{}');
  left.abort();
  return { input: null, output: null, messages: [message] };
}

/** The id of an upload that is a document by now. */
async function finishedUpload(url: string, bearer: string): Promise<string> {
  const text = '# Notes\n\nThe meeting room on the second floor is booked at the reception.\n';
  const headers = { Authorization: `Bearer ${bearer}`, 'Tus-Resumable': '1.0.0' };
  const metadata = `filename ${Buffer.from('Notes.md').toString('base64')}`;
  const begun = await fetch(`${url}/v1/uploads`, {
    method: 'POST',
    headers: { ...headers, 'Upload-Length': String(text.length), 'Upload-Metadata': metadata },
  });
  const place = begun.headers.get('location') ?? '';
  const type = 'application/offset+octet-stream';
  await fetch(new URL(place, url), {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': type },
    body: text,
  });
  return place.split('/').at(-1) ?? '';
}
