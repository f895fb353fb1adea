import type { Client } from '#client/client.ts';
import { AppError } from '#contract/errors.ts';

export interface Person {
  client: Client;
  isAdmin: boolean;
  random: () => number;
  /** How originals are opened, where that is not simply asked for. */
  open?: (url: string) => Promise<void>;
}

type Deed = (person: Person) => Promise<unknown>;

/** What people do, each as often as it stands here for a hundred deeds; who is no admin asks instead of managing. */
export const deeds: Record<string, { often: number; do: Deed }> = {
  ask: { often: 35, do: ({ client, random }) => client.call('query', { history: asked(random) }) },
  stream: { often: 20, do: ({ client, random }) => client.stream('query', { history: asked(random) }, () => {}) },
  list: { often: 15, do: ({ client }) => client.call('getCompanyFiles', null) },
  open: { often: 10, do: openOriginal },
  search: { often: 10, do: ({ client, random }) => client.call('searchPassages', { query: questionOf(random) }) },
  upload: { often: 2, do: uploadNote },
  manage: { often: 8, do: manage },
};

/** What somebody does next. */
export function nextDeed({ random, isAdmin }: Person): { name: string; deed: Deed } {
  let left = random() * 100;
  for (const [name, { often, do: deed }] of Object.entries(deeds)) {
    left -= often;
    if (left < 0 && (isAdmin || (name !== 'manage' && name !== 'upload'))) return { name, deed };
  }
  return { name: 'ask', deed: deeds.ask?.do ?? (async () => {}) };
}

const questions = [
  'How much may a hotel in Berlin cost per night?',
  'Within how many days must receipts be handed in?',
  'Who may approve leave?',
  'What does a scanner cost?',
  'How do I reset a warehouse scanner?',
  'Which documents does the customs office want to see?',
  'How long must a password be?',
  'Wann beginnt die Kernarbeitszeit?',
  'Who waters the plants on Mars?',
];

function questionOf(random: () => number): string {
  return questions[Math.floor(random() * questions.length)] ?? '';
}

function asked(random: () => number) {
  return [{ role: 'user' as const, parts: [{ text: questionOf(random) }] }];
}

/** The document of a passage as its reader opens it: the link, and all of the file. */
async function openOriginal({ client, random, open = fetchWhole }: Person): Promise<void> {
  const listed = await client.call('getCompanyFiles', null);
  // Of one that is on its way there is nothing to be opened.
  const files = listed.filter(({ state }) => state !== 'uploading');
  const file = files[Math.floor(random() * files.length)];
  if (!file) throw new Error('there is no file');
  const { url } = await client.call('getFileLink', { gsUri: `gs://${file.bucket}/${file.path}` });
  await open(url);
}

export async function fetchWhole(url: string): Promise<void> {
  const reply = await fetch(url);
  // A proxy says so while what is behind it does not answer.
  if ([502, 503, 504].includes(reply.status)) throw new AppError('unavailable');
  if (!reply.ok) throw new Error(`the original: ${reply.status}`);
  await reply.arrayBuffer();
}

/** One of a hundred notes, replaced again and again. */
async function uploadNote({ client, random }: Person): Promise<void> {
  const n = Math.floor(random() * 100);
  const text = `Note ${n}. The crane of quay ${n} lifts ${Math.floor(random() * 90) + 10} tons.\n\n`.repeat(40);
  await client.upload(`Note ${n}.txt`, Buffer.from(text));
}

async function manage({ client, random }: Person): Promise<unknown> {
  const day = new Date().toISOString().slice(0, 10);
  const looks = [
    () => client.call('getAnalytics', { from: day, to: day }),
    () => client.call('getAuditLog', {}),
    () => client.call('listUsers', null),
  ];
  return looks[Math.floor(random() * looks.length)]?.();
}
