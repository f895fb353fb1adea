import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';
import { fetchWhole } from './deeds.ts';
import { type Row, seconds } from './figures.ts';
import { answerRows, uploadRows } from './kept.ts';
import { addPeople, fillCompanies, measure, memoryRow, minutes, rowsOf, signIn, watchMemory } from './load.ts';
import { memoryOf } from './observed.ts';
import { asShown, byHand, patientClient, send, type Told } from './patient.ts';
import { type Process, type Several, startSeveral } from './several.ts';
import { staySignedIn } from './signed-in.ts';

/** Uploads that are always under way, each as over a slow line: so many bytes, in so many pieces, one a second. */
const slowUploads = [
  { bytes: 9 * 1024 * 1024, pieces: 15 },
  { bytes: 1024 * 1024, pieces: 15 },
  { bytes: 1024 * 1024, pieces: 15 },
  { bytes: 1024 * 1024, pieces: 15 },
];
const pieceEveryMs = 1000;

/**
 * The same as `load` behind a proxy, with a database and a store beside the processes: one of them is killed and
 * started again on the way, another is asked to stop and started again.
 */
export async function measureLoadOnSeveral(count: number): Promise<Row[]> {
  const several = await startSeveral(count);
  try {
    const { url, postgres, store, processes } = several;
    const logins = await addPeople(postgres.connection, await fillCompanies(url));
    const admins = logins.filter(({ isAdmin }) => isAdmin);
    const told: Told = { sentAgain: 0, askedAgain: 0, answers: new Set(), uploads: [] };
    const people = await signIn(url, logins, (bearer) => ({
      client: patientClient(url, bearer, told),
      // A viewer says that the file could not be loaded, and has a button.
      open: (link) => byHand(told, () => fetchWhole(link).catch((error) => Promise.reject(asShown(error)))),
    }));
    const memories = processes.map(({ app }) => watchMemory(() => memoryOf(app)));
    const over = new AbortController();
    const [measured, { rows: replaced, atKill }] = await Promise.all([
      measure(people).finally(() => over.abort()),
      replaceTwo(several, told),
      ...slowUploads.map((size, i) =>
        sendSlowly({ several, told, login: admins[i % admins.length], size, signal: over.signal }),
      ),
    ]);
    const looked = memories.map((each) => each.end());
    return [
      ['processes', processes.map(({ role }) => role).join(', '), ''],
      ['beside them', `${await databaseOf(several)}; ${store}`, ''],
      ...rowsOf(measured).map(
        ([what, ...rest]): Row => [what.replace('that failed', 'that failed in the end'), ...rest],
      ),
      ...replaced,
      ['tries that browsers sent again; that people did', `${told.sentAgain}; ${told.askedAgain}`, ''],
      ...(await answerRows(postgres, told)),
      ...(await uploadRows(postgres, told, atKill)),
      ...looked.map((each, i) => memoryRow(`memory of a ${processes[i]?.role} process`, each)),
    ];
  } finally {
    await several.stop();
  }
}

/** Kills a web process at a third of the time and starts it again; asks another one to stop at two thirds. */
async function replaceTwo({ processes, allReady }: Several, { uploads }: Told) {
  const [killed, stopped] = processes.filter(({ role }) => role === 'web');
  if (!killed || !stopped) throw new Error('there are no two web processes');
  const third = (minutes * 60_000) / 3;
  const took = async ({ app }: Process, how: 'killAndStart' | 'stopAndStart') => {
    const began = performance.now();
    console.error(`${how} at ${new Date().toISOString()}`);
    await app[how]();
    await allReady();
    return seconds(performance.now() - began);
  };
  await sleep(third);
  const atKill = uploads.filter(({ documentId }) => documentId === undefined);
  const killedFor = await took(killed, 'killAndStart');
  await sleep(third);
  const stoppedFor = await took(stopped, 'stopAndStart');
  const rows: Row[] = [
    ['one killed at a third of the time: until it serves again', killedFor, ''],
    ['another asked to stop at two thirds, 2 s of draining: until it serves again', stoppedFor, ''],
  ];
  return { rows, atKill };
}

/** Sends one file after the other until the time is over, each piece after a pause. */
async function sendSlowly({
  several: { url },
  told,
  login,
  size,
  signal,
}: {
  several: Several;
  told: Told;
  login: { email: string; password: string } | undefined;
  size: (typeof slowUploads)[number];
  signal: AbortSignal;
}): Promise<void> {
  if (!login) throw new Error('nobody is there to upload');
  const bearer = staySignedIn(url, login);
  const pace = { chunkSize: Math.ceil(size.bytes / size.pieces), pauseMs: pieceEveryMs };
  for (let i = 1; !signal.aborted; i++) {
    const name = `Slow ${size.bytes} ${i}.pdf`;
    await send({ url, bearer, told }, name, await heavyPdf(name, size.bytes), pace);
  }
}

/** A page of one line that is soon read, with something in it that no page shows. */
async function heavyPdf(line: string, bytes: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage().drawText(`The file ${line} is heavy.`);
  pdf.context.register(pdf.context.stream(randomBytes(bytes)));
  return pdf.save();
}

async function databaseOf({ postgres }: Several): Promise<string> {
  const [row] = await postgres.query(
    `select rolname, rolsuper, current_setting('server_version') as version from pg_roles where rolname = current_user`,
  );
  return `PostgreSQL ${row?.version} as ${row?.rolsuper === false ? 'a role that is no superuser' : 'a superuser'}`;
}
