import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { createRandom, type Random } from '../crash/random.ts';
import type { LargeFile } from './large-content.ts';
import { send, type Told } from './patient.ts';
import { lastingClient, staySignedIn } from './signed-in.ts';

export interface Kept {
  name: string;
  documentId: string;
  sha256: string;
  bytes: number;
  question: string;
  /** It was ready when it was last looked at: questions find it. */
  isReady: boolean;
  /** Its deletion was asked for; acknowledged, before anything of it is looked at. */
  isDeleted: boolean;
}

export interface Answer {
  queryId: string;
  /** What was asked about. */
  about: Kept;
}

/** What a company was told: its documents, its answers, and what went wrong. */
export interface Ledger {
  documents: Kept[];
  answers: Answer[];
  /** Milliseconds, by what was done. */
  took: Record<'ask' | 'list' | 'delete', number[]>;
  problems: string[];
}

export interface Company {
  ledger: Ledger;
  client: Client;
  upload(file: LargeFile): Promise<void>;
  /** Asks, lists and deletes until the work is done; one document in ten goes. */
  meanwhile<T>(work: () => Promise<T>): Promise<T>;
  remove(some: readonly Kept[]): Promise<void>;
  /** All files, when each has been read. */
  allRead(): Promise<CompanyFile[]>;
}

const who = { email: 'large@nordwind.example', password: 'seventeen quiet herons' };
const pauses = { ask: 500, list: 2000, delete: 3000 };
const deletedShare = 0.1;
/** What pieces of large files grow to (web/features/uploads/chunk-plan.ts), in bytes. */
const chunkSize = 16 * 1024 * 1024;

export function createLedger(): Ledger {
  return { documents: [], answers: [], took: { ask: [], list: [], delete: [] }, problems: [] };
}

export async function signUp(url: string): Promise<void> {
  await createClient(url).call('signUp', { companyName: 'Large', ...who });
}

/** The company as it is at an address, by what was told before. */
export function openCompany(url: string, ledger: Ledger): Company {
  const random = createRandom(7);
  const bearer = staySignedIn(url, who);
  const client = lastingClient(url, bearer);

  async function upload({ name, bytes, question }: LargeFile): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const told: Told = { sentAgain: 0, askedAgain: 0, answers: new Set(), uploads: [] };
    const { documentId } = await send({ url, bearer, told }, name, bytes, { chunkSize, pauseMs: 0 });
    const facts = { name, documentId, sha256, bytes: bytes.length, question };
    ledger.documents.push({ ...facts, isReady: false, isDeleted: false });
  }

  async function list(): Promise<void> {
    const states = new Map((await client.call('getCompanyFiles', null)).map(({ id, state }) => [id, state]));
    for (const each of ledger.documents) each.isReady = states.get(each.documentId) === 'ready';
    const lost = ledger.documents.filter(({ documentId, isDeleted }) => !isDeleted && !states.has(documentId));
    if (lost.length > 0) throw new Error(`not listed: ${lost.map(({ name }) => name).join(', ')}`);
  }

  async function remove(some: readonly Kept[]): Promise<void> {
    for (const each of some) each.isDeleted = true;
    const asked = { documentIds: some.map(({ documentId }) => documentId) };
    const { changed } = await client.call('deleteFiles', asked);
    if (changed !== some.length) throw new Error(`${changed} of ${some.length} were deleted`);
  }

  const lanes = {
    async ask() {
      const one = pickFrom(ledger, random);
      if (one) await askAbout(client, ledger, one);
      return one !== undefined;
    },
    list: () => list().then(() => true),
    async delete() {
      const one = pickFrom(ledger, random);
      const deleted = ledger.documents.filter(({ isDeleted }) => isDeleted).length;
      if (one && deleted < deletedShare * ledger.documents.length) await remove([one]);
      return one !== undefined;
    },
  };

  return {
    ledger,
    client,
    upload,
    remove,

    async meanwhile(work) {
      let isOver = false;
      const going = Object.entries(lanes).map(async ([name, lane]) => {
        const kind = name as keyof typeof lanes;
        while (!isOver) {
          const started = performance.now();
          await lane().then(
            (isDone) => isDone && ledger.took[kind].push(performance.now() - started),
            (error) => ledger.problems.push(`${kind}: ${error}`),
          );
          await sleep(pauses[kind]);
        }
      });
      return work().finally(async () => {
        isOver = true;
        await Promise.all(going);
      });
    },

    async allRead() {
      const files = await client.filesWhenRead();
      await list();
      return files;
    },
  };
}

/** One that is there, and read. */
function pickFrom({ documents }: Ledger, random: Random): Kept | undefined {
  const some = documents.filter(({ isReady, isDeleted }) => isReady && !isDeleted);
  return some.length > 0 ? random.pick(some) : undefined;
}

/** Asks for what stands in this document alone: its answer has to cite it. */
export async function askAbout(client: Client, ledger: Ledger, about: Kept): Promise<void> {
  const history = [{ role: 'user' as const, parts: [{ text: about.question }] }];
  const { queryId, sources } = await client.call('query', { history });
  if (about.isDeleted) return;
  if (!sources.some(({ documentId }) => documentId === about.documentId)) throw new Error(`${about.name} is not cited`);
  ledger.answers.push({ queryId, about });
}
