import { makeOffice, makeRelations } from '#server/features/ingestion/fixtures.ts';
import { megabytes, milliseconds, percentile, type Row, seconds } from './figures.ts';
import { makeManual } from './manual.ts';
import { startObservedApp } from './observed.ts';

const rounds = 5;
const mixed = 200;
const together = 20;

/** From the end of an upload until its words are found, for one large file, for small ones, and for many at once. */
export async function measureIngestion(): Promise<Row[]> {
  const app = await startObservedApp();
  const { client } = app;
  try {
    const rows: Row[] = [];
    /** What was not read makes the figures around it worthless: it stands beside them. */
    const readAll = async () => {
      for (const { name, state, reason } of await client.filesWhenRead()) {
        const row: Row = [`${name} was not read`, reason ?? state, ''];
        if (state !== 'ready' && !rows.some(([what]) => what === row[0])) rows.push(row);
      }
    };
    const timeOf = async (name: string, content: Uint8Array) => {
      await client.upload(name, content);
      const started = performance.now();
      await readAll();
      return performance.now() - started;
    };

    const small: number[] = [];
    for (let round = 0; round < rounds; round++)
      small.push(await timeOf(`Ten ${round}.pdf`, await makeManual(round, 10)));
    rows.push([
      'PDF of 10 pages, upload finished until searchable (median of 5)',
      seconds(percentile(small, 0.5)),
      '2 s',
    ]);

    const pages = 460;
    const large = await makeManual(900, pages);
    let took = 0;
    const memory = await app.memoryDuring(async () => {
      took = await timeOf('Large.pdf', large);
    });
    rows.push([`PDF of ${pages} pages, upload finished until searchable`, seconds(took), '']);
    rows.push(['the same in pages per second', (pages / (took / 1000)).toFixed(0), '100']);
    rows.push([
      'memory of the server before it, and at most',
      `${megabytes(memory.before)}, ${megabytes(memory.most)}`,
      '',
    ]);

    const twenty = await Promise.all(Array.from({ length: together }, (_, i) => makeManual(300 + i, 10)));
    const delay = await app.delayDuring(async () => {
      for (const [i, content] of twenty.entries()) await client.upload(`Together ${i}.pdf`, content);
      await readAll();
    });
    rows.push([`delay of the event loop while ${together} files are read, p50`, milliseconds(delay.p50), '']);
    rows.push([`delay of the event loop while ${together} files are read, p99`, milliseconds(delay.p99), '20 ms']);

    const files = await mixedFiles();
    const started = performance.now();
    const busy = await app.memoryDuring(async () => {
      for (const { name, content } of files) await client.upload(name, content);
      await readAll();
    });
    const each = (performance.now() - started) / files.length;
    rows.push([`${mixed} mixed files, upload included, until all are searchable`, seconds(each * files.length), '']);
    rows.push(['the same for each file', milliseconds(each), '']);
    rows.push([
      'memory of the server before them, and at most',
      `${megabytes(busy.before)}, ${megabytes(busy.most)}`,
      '',
    ]);
    return rows;
  } finally {
    await app.stop();
  }
}

/** PDF, DOCX, HTML, CSV and text in turn, of a page or some. */
async function mixedFiles(): Promise<{ name: string; content: Uint8Array }[]> {
  const kinds: [ending: string, make: (i: number, lines: string[]) => Uint8Array | Promise<Uint8Array>][] = [
    ['pdf', (i) => makeManual(500 + i, 1 + (i % 8))],
    ['docx', (_, lines) => makeDocx(lines)],
    ['html', (_, lines) => Buffer.from(`<h1>Notes</h1>${lines.map((line) => `<p>${line}</p>`).join('')}`)],
    ['csv', (_, lines) => Buffer.from(`No,Rule\n${lines.map((line, row) => `${row},${line}`).join('\n')}\n`)],
    ['txt', (_, lines) => Buffer.from(lines.join('\n\n'))],
  ];
  return Promise.all(
    Array.from({ length: mixed }, async (_, i) => {
      const lines = Array.from(
        { length: 40 },
        (_, line) => `Note ${line} of file ${i} speaks of shelf ${i * 40 + line}.`,
      );
      const [ending, make] = kinds[i % kinds.length] ?? ['txt', () => Buffer.from(lines.join('\n'))];
      return { name: `Mixed ${i}.${ending}`, content: await make(i, lines) };
    }),
  );
}

function makeDocx(lines: string[]): Uint8Array {
  const paragraphs = lines.map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`).join('');
  return makeOffice('word/document.xml', {
    'word/document.xml': `<w:document><w:body>${paragraphs}</w:body></w:document>`,
    'word/_rels/document.xml.rels': makeRelations(),
  });
}
