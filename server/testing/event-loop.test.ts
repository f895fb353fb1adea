import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { splits } from '../../simulators/models/script.ts';
import { type ModelServer, startModelServer } from '../../simulators/models/server.ts';
import { startTestApp, type TestApp } from './app.ts';
import { leastHoldMs } from './event-loop.ts';
import { rawTus } from './tus.ts';

/** What one company's text may cost everybody else at once. */
const maxHoldMs = 100;
const fact = 'Receipts must be handed in within 30 days.';
const question = 'Within how many days must receipts be handed in?';

/** What is repeated: one letter, words glued together, and what expressions and tables look for. */
const units = [
  ...[
    'a',
    'ab',
    'a-',
    '1.',
    '1 ',
    "a'",
    'a+',
    'A. ',
    'Ab ',
    'not ',
    'who ',
    'ing',
    '"',
    '“„(',
    '[1, ',
    '[1] ',
    '((',
    ' ',
  ],
  ...[
    '\u0300\u0316',
    'a\u0316\u0301\u0327',
    '保',
    '中a',
    '。',
    'ﷺ',
    'ก',
    'كتاب ',
    '👩‍👩‍👧',
    'https://a.',
    'x@y.',
    '](',
    '<a ',
    '1. a 1\n',
  ],
];
const letters = ['abcdefghijklmnopqrstuvwxyz', 'ab', 'abcd', '保証期間一年二三四五', 'كتابمن', '0123456789'];

/** Texts that nobody would write for a reader, all of one length. */
function hostile(length: number): fc.Arbitrary<string> {
  const repeated = fc
    .array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('').repeat(length));
  const words = fc
    .record({
      alphabet: fc.constantFrom(...letters),
      size: fc.constantFrom(2, 5, 9, 30, 250, length),
      start: fc.constantFrom('', 'aaaa', 'Receipts'),
      seed: fc.nat(),
    })
    .map(({ alphabet, size, start, seed }) => wordsOf(alphabet, { size, start, seed, length }));
  return fc.oneof(repeated, words).map((text) => text.slice(0, length).toWellFormed());
}

/** Words of as many letters that are all different, as far as there are so many. */
function wordsOf(
  alphabet: string,
  { size, start = '', seed = 1, length }: { size: number; start?: string; seed?: number; length: number },
): string {
  let state = seed;
  const letter = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return alphabet[(state >> 8) % alphabet.length];
  };
  let text = '';
  while (text.length < length) text += `${start}${Array.from({ length: size }, letter).join('')} `;
  return text.slice(0, length);
}

const latin = letters[0] ?? '';
const files: [name: string, text: string][] = [
  ['Policy.txt', `${fact}\n\nA hotel in Berlin may cost 145 euros a night.`],
  ['Half a million paragraphs.txt', 'a\n\n'.repeat(500_000)],
  ['Words.txt', wordsOf(latin, { size: 8, length: 250_000 })],
  ['Words alike.txt', wordsOf('abcd', { size: 9, length: 150_000 })],
  ['Words within words.txt', wordsOf(latin, { size: 5, start: 'aaaaa', length: 100_000 })],
  [
    'Long words.txt',
    `${'a'.repeat(60_000)}\n\n${'a-'.repeat(30_000)}\n\n${wordsOf(latin, { size: 250, length: 60_000 })}`,
  ],
  ['Initials.txt', `${'A. '.repeat(20_000)}\n\n${'"('.repeat(20_000)}`],
  ['Signs.txt', `${wordsOf('保証期間一年二三四五', { size: 60_000, length: 60_000 })}\n\n${'中a'.repeat(30_000)}`],
  ['Rows.csv', [`a,${'h'.repeat(9000)},2019`, ...Array.from({ length: 5000 }, (_, i) => `${i},2,3`)].join('\n')],
  ['Fees.csv', ['What,Fee', ...['.', '-', '1', '1,'].map((sign, i) => `Hotel ${i},${sign.repeat(8000)}`)].join('\n')],
  ['Years.csv', `${`,${'2019,'.repeat(400)}\n`.repeat(200)}`],
  [
    'Headings.md',
    `${[1, 2, 3, 4, 5, 6].map((n) => `${'#'.repeat(n)} ${wordsOf(latin, { size: 7, length: 19_000 })}\n\n`).join('')}${Array.from({ length: 200 }, (_, i) => `###### ${i}\n\nreceipts ${i}\n\n`).join('')}`,
  ],
];

describe('whatever anybody writes, everybody else is served', () => {
  let model: ModelServer;
  let quoting: TestApp;
  let writing: TestApp;
  let token: string;
  let writersToken: string;

  beforeAll(async () => {
    model = await startModelServer({ protocol: 'openai', script: splits(fact, 10) });
    const languageModel = {
      provider: 'openai-compatible' as const,
      baseUrl: model.url,
      model: 'scripted',
      contextTokens: 8000,
      firstTokenMs: 20_000,
      nextTokenMs: 20_000,
    };
    quoting = await startTestApp();
    writing = await startTestApp({ languageModel });
    ({ token } = await quoting.signUp());
    ({ token: writersToken } = await writing.signUp());
    for (const [name, text] of files) {
      if (text.length > 200_000) continue;
      await rawTus(writing, writersToken).begin(name, { body: Buffer.from(text) });
    }
    await writing.idle();
    // Code that has not run yet is compiled first.
    await ask(writing, writersToken, question);
  }, 240_000);
  afterAll(async () => {
    await quoting?.close();
    await writing?.close();
    await model?.close();
  });

  const upload = async (name: string, text: string) => {
    await rawTus(quoting, token).begin(name, { body: Buffer.from(text) });
    await quoting.idle();
  };
  const remove = async (name: string) => {
    const listed = await quoting.call('getCompanyFiles', null, { token });
    const filePath = listed.find((each) => each.name === name)?.path ?? '';
    await quoting.call('deleteFile', { filePath }, { token });
    await quoting.idle();
  };
  const ask = (app: TestApp, as: string, ...texts: string[]) =>
    app.stream(
      'query',
      {
        history: texts.map((text, i) => ({
          role: (texts.length - i) % 2 === 1 ? ('user' as const) : ('model' as const),
          parts: [{ text }],
        })),
      },
      { token: as },
    );

  test.each(files)('reading %s', { timeout: 240_000 }, async (name, text) => {
    const held = await leastHoldMs(
      maxHoldMs,
      () => upload(name, text),
      () => remove(name),
    );
    const file = (await quoting.call('getCompanyFiles', null, { token })).find((each) => each.name === name);
    expect(file?.state).toBe('ready');
    expect(held).toBeLessThanOrEqual(maxHoldMs);
  });

  test('what a document suggests, and its text', { timeout: 240_000 }, async () => {
    const suggest = () => quoting.call('getSuggestedQuestions', null, { token });
    const held = await leastHoldMs(maxHoldMs, suggest, async () => {
      for (const [name, text] of files) {
        await remove(name);
        await upload(name, text);
      }
    });
    expect(held).toBeLessThanOrEqual(maxHoldMs);
    for (const { id: documentId, version } of await quoting.call('getCompanyFiles', null, { token })) {
      const view = { documentId, version, from: 0, limit: 1000 };
      const read = () => quoting.call('getReadingView', view, { token });
      expect(await leastHoldMs(maxHoldMs, read)).toBeLessThanOrEqual(maxHoldMs);
    }
  });

  test('a question of any shape', { timeout: 600_000 }, async () => {
    await ask(quoting, token, question);
    const text = hostile(8000).filter((each) => each.trim() !== '');
    const filters = fc.option(
      fc.record({ documentIds: fc.array(fc.uuid(), { minLength: 1000, maxLength: 1000 }) }, { requiredKeys: [] }),
      { nil: undefined, freq: 9 },
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(1, 3, 20), filters, async (asked, messages, within) => {
        const held = await leastHoldMs(maxHoldMs, async () => {
          await quoting.call('searchPassages', { query: asked, limit: 50, filters: within }, { token });
          const before = Array.from({ length: messages - 1 }, () => asked);
          await ask(quoting, token, ...before, messages === 1 ? asked : 'And receipts?');
        });
        expect(held).toBeLessThanOrEqual(maxHoldMs);
      }),
      {
        numRuns: 30,
        examples: [
          ['a-'.repeat(4000), 1, undefined],
          ['\u0300\u0316'.repeat(4000), 1, undefined],
          ['1.'.repeat(4000), 3, undefined],
          ['a'.repeat(8000), 20, undefined],
          ['ك'.repeat(8000), 1, undefined],
          [wordsOf(latin, { size: 8000, length: 8000 }), 1, undefined],
          [wordsOf(latin, { size: 250, length: 7530 }), 1, undefined],
          [wordsOf('abcd', { size: 9, length: 8000 }), 1, undefined],
          [wordsOf(latin, { size: 4, start: 'aaaa', length: 8000 }), 3, undefined],
          ['How much is the fee of a hotel?', 1, undefined],
          ['What is the temperature of a hotel?', 1, undefined],
          [`how many ${Array.from({ length: 1500 }, (_, i) => i).join(' ')}`, 1, undefined],
        ],
      },
    );
  });

  test('whatever a model writes', { timeout: 600_000 }, async () => {
    const said = hostile(20_000).map((text) => `${fact.slice(0, -1)} [1]. ${text}`);
    await fc.assert(
      fc.asyncProperty(said, fc.constantFrom(40, 1000, 100_000), async (answer, size) => {
        const held = await leastHoldMs(maxHoldMs, () => {
          model.play(splits(answer, size));
          return ask(writing, writersToken, question);
        });
        expect(held).toBeLessThanOrEqual(maxHoldMs);
      }),
      {
        numRuns: 20,
        examples: [
          ['a'.repeat(100_000), 100_000],
          [`${fact.slice(0, -1)} [1][2][3]. `.repeat(2000), 1000],
          ['[1] '.repeat(25_000), 40],
          [`${fact.slice(0, -1)} [1]. ${'\u0300\u0316'.repeat(10_000)}`, 100_000],
          [Array.from({ length: 3000 }, (_, i) => `${i}. item ${i}`).join('\n'), 1000],
          [`${fact.slice(0, -1)} [1]. ${'a\u0316\u0301\u03271. a 1\n'.repeat(2000)}`, 100_000],
          [`${fact.slice(0, -1)} [1]. ${wordsOf('abcd', { size: 9, length: 20_000 })}`, 40],
        ],
      },
    );
  });

  test('taking all of it away again', { timeout: 240_000 }, async () => {
    for (const [name, text] of files) {
      const held = await leastHoldMs(
        maxHoldMs,
        () => remove(name),
        () => upload(name, text),
      );
      expect(held, name).toBeLessThanOrEqual(maxHoldMs);
    }
  });
});
