import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forPrograms } from '#client/client.ts';
import { type RunningApp, startApp } from '../e2e/app.ts';
import { runCommand } from './command.ts';
import { both, megabytes, type Row, seconds, timeOf } from './figures.ts';
import { compareWithLedger } from './large-compare.ts';
import { makeLargeFile } from './large-content.ts';
import { type Company, createLedger, type Kept, type Ledger, openCompany, signUp } from './large-ledger.ts';
import { watchTree } from './process-memory.ts';

/** Of originals that are uploaded; `BENCH_GIGABYTES` for another number. */
const gigabytes = Number(process.env.BENCH_GIGABYTES ?? 20);
/**
 * What of them is there when the backup begins; the rest is deleted before, as the disk would have to hold all thrice.
 */
const backedUpGigabytes = Number(process.env.BENCH_BACKUP_GIGABYTES ?? 10);
/** The limit of a file; of a quick look a tenth of all. */
const maxBytes = Math.min(500 * 1024 * 1024, gigabytes * 1e8);
const memoryGoal = '2048 MB';
const deletedAtOnce = 20;
const settings = { ...forPrograms, COMPANY_STORAGE_GB: '1000' };
/** Backups are sealed, as they are in earnest. */
const sealed = { BACKUP_PASSPHRASE: 'nine grey lighthouses' };

/**
 * Large files that are uploaded while people ask, list and delete; a backup while they go on; and its restore in an
 * empty place, where what was acknowledged is there and what was deleted is not.
 */
export async function measureLargeFiles(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(folder, 0o755);
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(folder, name));
  if (!data || !backup || !restored) throw new Error('no places');
  const erased = join(folder, 'erased.txt');
  const ledger = createLedger();
  try {
    const rows = await withApp({ DATA_DIR: data, ERASURE_LEDGER: erased }, async (app) => {
      await signUp(app.url);
      const company = openCompany(app.url, ledger);
      const filled = shown(await fill(app, company));
      return [...filled, ...shown(await backUp(company, { data, backup }))];
    });
    // The machine is lost.
    await rm(data, { recursive: true });
    const restoring = await runCommand('restore', [backup, '--ledger', erased], { ...sealed, DATA_DIR: restored });
    await rm(backup, { recursive: true });
    rows.push(
      ...shown([
        ['restored into an empty place, search tables included', seconds(restoring.ms), ''],
        ['most memory (PSS) of the restore, its database included', megabytes(restoring.most), memoryGoal],
      ]),
    );
    const held = await withApp({ DATA_DIR: restored }, (app) =>
      compareWithLedger(openCompany(app.url, ledger), restored),
    );
    for (const problem of ledger.problems) console.error(problem);
    return [...rows, ...held];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A run takes an hour: what is known is told. */
function shown(rows: Row[]): Row[] {
  for (const [what, figure] of rows) console.log(`${what}: ${figure}`);
  return rows;
}

async function withApp<T>(more: Record<string, string>, work: (app: RunningApp) => Promise<T>): Promise<T> {
  const app = await startApp({ ...settings, ...more });
  return work(app).finally(() => app.stop());
}

async function fill({ pid }: RunningApp, company: Company): Promise<Row[]> {
  const { ledger } = company;
  const before = watchTree(pid).end().most;
  const memory = watchTree(pid);
  let [bytes, number] = [0, 0];
  const uploading = async () => {
    while (bytes < gigabytes * 1e9) {
      const file = await makeLargeFile(number++, maxBytes);
      bytes += file.bytes.length;
      await company.upload(file);
    }
  };
  let read: Awaited<ReturnType<Company['allRead']>> = [];
  const took = await timeOf(() =>
    company.meanwhile(async () => {
      await Promise.all([uploading(), uploading()]);
      read = await company.allRead();
    }),
  );
  const { most, all } = memory.end();
  const unread = read.filter(({ state }) => state !== 'ready');
  for (const { name, state, reason } of unread) console.error(`${name}: ${state}, ${reason}`);
  const largest = Math.max(...ledger.documents.map((each) => each.bytes));
  const tenth = Math.ceil(all.length / 10);
  const means = [all.slice(0, tenth), all.slice(-tenth)].map((some) => megabytes(sum(some) / some.length)).join(', ');
  return [
    ['files; in all; the largest', `${number}; ${(bytes / 1e9).toFixed(1)} GB; ${megabytes(largest)}`, ''],
    ['uploaded and read, two at a time', seconds(took), ''],
    ['not read', String(unread.length), '0'],
    ['memory of all processes (PSS) before it, and at most', `${megabytes(before)}, ${megabytes(most)}`, memoryGoal],
    ['the same, mean of the first and of the last tenth', means, ''],
    ...meanwhileRows(ledger),
  ];
}

async function backUp(company: Company, { data, backup }: Record<'data' | 'backup', string>): Promise<Row[]> {
  const { ledger } = company;
  const live = () => ledger.documents.filter(({ isDeleted }) => !isDeleted);
  while (bytesOf(live()) > backedUpGigabytes * 1e9) {
    // As many as leave enough.
    let left = bytesOf(live());
    const some = live().filter(({ bytes }) => {
      const goes = left - bytes >= backedUpGigabytes * 1e9;
      if (goes) left -= bytes;
      return goes;
    });
    if (some.length === 0) break;
    await company.remove(some.slice(0, deletedAtOnce));
  }
  const told: Ledger = { ...ledger, documents: [...ledger.documents], answers: [...ledger.answers] };
  Object.assign(ledger, { took: { ask: [], list: [], delete: [] } });
  const backingUp = await company.meanwhile(() => runCommand('backup', [backup], { ...sealed, DATA_DIR: data }));
  // What was acknowledged later is not promised.
  Object.assign(ledger, { documents: told.documents, answers: told.answers });
  return [
    [
      'backed up while people go on, sealed, and read again',
      `${(bytesOf(live()) / 1e9).toFixed(1)} GB in ${seconds(backingUp.ms)}`,
      '',
    ],
    ['most memory (PSS) of the backup', megabytes(backingUp.most), memoryGoal],
    ...meanwhileRows(ledger),
  ];
}

function meanwhileRows({ took, problems }: Ledger): Row[] {
  return [
    ['meanwhile asked, and answered with its source: p50, p95', `${took.ask.length}: ${both(took.ask)}`, ''],
    ['meanwhile listed: p50, p95', `${took.list.length}: ${both(took.list)}`, ''],
    ['so far of all that was asked, listed and deleted, wrong or failed', String(problems.length), '0'],
  ];
}

const sum = (some: readonly number[]) => some.reduce((all, each) => all + each, 0);
const bytesOf = (some: readonly Kept[]) => sum(some.map(({ bytes }) => bytes));
