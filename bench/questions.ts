import { setTimeout } from 'node:timers/promises';
import { createClient, forPrograms } from '#client/client.ts';
import { usualUpkeep } from '#server/features/documents/processing/search-upkeep.ts';
import { startApp } from '../e2e/app.ts';
import { milliseconds, percentile, type Row, seconds } from './figures.ts';
import { makeManual, questionsAbout } from './manual.ts';
import { processorOf } from './observed.ts';

const manuals = 10;
const pagesEach = 100;
const rounds = 100;

/** What a person waits for: the first start, 1,000 pages over HTTP, answers from them. */
export async function measureQuestions(): Promise<Row[]> {
  const rows: Row[] = [];
  const starting = performance.now();
  const app = await startApp(forPrograms);
  rows.push(['first start on an empty folder, until it serves', seconds(performance.now() - starting), '12 s']);
  try {
    const anonymous = createClient(app.url);
    const { idToken } = await anonymous.call('signUp', {
      companyName: 'Bench',
      email: 'bench@nordwind.example',
      password: 'seventeen quiet herons',
    });
    const client = createClient(app.url, idToken);

    const files: { name: string; content: Uint8Array }[] = [];
    for (let i = 0; i < manuals; i++)
      files.push({ name: `Manual ${i + 1}.pdf`, content: await makeManual(i, pagesEach) });
    const uploading = performance.now();
    for (const { name, content } of files) await client.upload(name, content);
    const read = await client.filesWhenRead();
    const took = performance.now() - uploading;
    const pages = read.reduce((sum, file) => sum + (file.pages ?? 0), 0);
    rows.push([`upload and read ${manuals} PDFs of ${pagesEach} pages: until all is searchable`, seconds(took), '']);
    rows.push(['the same in pages per second', (pages / (took / 1000)).toFixed(0), '100']);

    const questions = questionsAbout(manuals, pagesEach, rounds);
    const ask = async (question: string) => {
      const started = performance.now();
      const { sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
      return { ms: performance.now() - started, quotes: sources.map(({ quote }) => quote) };
    };
    // Rows that the index has not taken in yet are read one by one: half of a question's time, for the first seconds.
    const early: number[] = [];
    for (const { question } of questions.slice(0, 20)) early.push((await ask(question)).ms);
    await setTimeout((usualUpkeep.optimizeAfterSeconds + 5) * 1000);
    const firstEventMs: number[] = [];
    let right = 0;
    const askAll = async () => {
      const answerMs: number[] = [];
      const before = await processorOf(app);
      for (const { question, answer } of questions) {
        const { ms, quotes } = await ask(question);
        answerMs.push(ms);
        if (quotes.some((quote) => quote.includes(answer))) right++;
      }
      return { answerMs, processorMs: ((await processorOf(app)) - before) / questions.length };
    };
    const once = await askAll();
    const again = await askAll();
    for (const { question } of questions.slice(0, 20)) {
      const started = performance.now();
      let first = 0;
      await client.stream('query', { history: [{ role: 'user', parts: [{ text: question }] }] }, () => {
        first ||= performance.now() - started;
      });
      firstEventMs.push(first);
    }
    const query = `query on ${pages.toLocaleString('en')} pages`;
    rows.push([`${query}, the first 20 after the last was read, p50`, milliseconds(percentile(early, 0.5)), '']);
    rows.push([`${query}, p50`, milliseconds(percentile(once.answerMs, 0.5)), '40 ms']);
    rows.push([`${query}, p95`, milliseconds(percentile(once.answerMs, 0.95)), '100 ms']);
    rows.push(['the same questions once more, p50', milliseconds(percentile(again.answerMs, 0.5)), '']);
    const processors = [once, again].map(({ processorMs }) => milliseconds(processorMs)).join(', ');
    rows.push(['processor time of the service for a query, and once more', processors, '']);
    rows.push(['first event of the stream, p50', milliseconds(percentile(firstEventMs, 0.5)), '20 ms']);
    rows.push(['of these answers quote the fact asked for', `${right} of ${2 * questions.length}`, '']);
  } finally {
    await app.stop();
  }
  return rows;
}
