import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import fc from '#server/testing/fast-check.ts';
import { type ScriptedApp, startScriptedApp } from '#server/testing/scripted-app.ts';
import { promptFor } from './prompt.ts';
import { tokensOf } from './supplied.ts';

describe('what a model is given', () => {
  let scripted: ScriptedApp;
  beforeAll(async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `Depot ${i},${1000 + i},${20 + (i % 7)}`);
    scripted = await startScriptedApp(
      {
        'Depots.csv': ['Site,Rent in euros,Staff', ...rows].join('\n'),
        'Annual report.md': `# Annual report 2024\n\n## Fleet\n\n${long('The fleet has 31 vans.')}\n\n${long('Each van is leased.')}`,
      },
      { isReadTwice: false },
    );
  }, 60_000);
  afterAll(() => scripted.close());
  beforeEach(() => {
    scripted.model.calls.length = 0;
  });
  const ask = async (...texts: string[]) => {
    const history = texts.map((text, i) => ({
      role: (texts.length - i) % 2 === 1 ? ('user' as const) : ('model' as const),
      parts: [{ text }],
    }));
    await scripted.client.call('query', { history });
    return scripted.model.calls.map(({ prompt }) => prompt);
  };

  test('a row stands below the names of its columns, also far down its table', async () => {
    const [prompt = ''] = await ask('What is the rent of depot 391?');
    const passage = prompt.slice(prompt.indexOf('=== passage 1 ('), prompt.indexOf('=== end of passage 1'));
    expect(passage).toContain('Depot 391');
    expect(passage.indexOf('Rent in euros')).toBeGreaterThan(0);
    expect(passage.indexOf('Rent in euros')).toBeLessThan(passage.indexOf('Depot 391'));
  });

  test('a passage is named with its file, the year it is of, when it came, and its headings; neighbours are one', async () => {
    const [prompt = ''] = await ask('How many vans does the fleet have, and is each van leased?');
    const today = new Date().toISOString().slice(0, 10);
    expect(prompt).toMatch(
      new RegExp(
        `=== passage \\d+ \\(\\w+\\) Annual report.md, of 2024, uploaded ${today}, (Annual report 2024 › )?Fleet`,
      ),
    );
    expect(prompt.match(/Annual report\.md/g)).toHaveLength(1);
    expect(prompt).toMatch(/31 vans[^=]*Each van is leased/);
  });

  test('a follow-up that can be understood by itself is one request, with the conversation in it', async () => {
    const prompts = await ask(
      'How many vans are there?',
      'There are 31.',
      'What is the monthly rent of depot 17 in euros?',
    );
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('How many vans are there?');
    scripted.model.calls.length = 0;
    const [first] = await ask('What is the rent of depot 17?', '1017 euros.', 'And its staff?');
    expect(first).toContain('Rewrite its last question');
  });
});

test('question, conversation, passages and answer have room in the context together', async () => {
  const unit = fc.constantFrom('word ', 'Donaudampfschifffahrt ', '保証期間は二年です。', '[1] ', '🦉');
  const textOf = (max: number) =>
    fc.tuple(unit, fc.nat({ max })).map(([each, length]) => each.repeat(length).slice(0, length));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(2048, 4000, 8192, 64_000),
      textOf(8000),
      fc.array(textOf(8000), { maxLength: 6 }),
      fc.array(textOf(3000), { minLength: 1, maxLength: 12 }),
      async (contextTokens, question, earlier, texts) => {
        const turns = earlier.map((text) => ({ role: 'user' as const, text }));
        const passages = texts.map((text, i) => ({ passage: passage(i, `A passage. ${text}`), units: [] }));
        const { request, supplied } = await promptFor({ contextTokens }, question, turns, passages);
        const whole = [request.system, ...request.messages.map(({ text }) => text)].join('\n');
        const tokens = whole.split('\n').reduce((sum, line) => sum + tokensOf(line), 0);
        expect(tokens + request.maxTokens).toBeLessThanOrEqual(contextTokens);
        expect(supplied.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 40 },
  );
});

/** Long enough to be a passage of its own. */
function long(sentence: string): string {
  return `${sentence} ${'It was so in the year before, and nothing about it is going to change soon. '.repeat(12)}`;
}

function passage(i: number, text: string): RetrievedPassage {
  return {
    chunkId: `${i}`,
    documentId: `${i}`,
    name: `A file ${'with a long name '.repeat(10)}.pdf`,
    version: 1,
    uploadedAt: new Date('2026-01-02'),
    page: 3,
    headingPath: ['A chapter', 'A section '.repeat(20)],
    text,
    start: 0,
    end: text.length,
    firstBlock: 0,
    lastBlock: 0,
    score: 1,
    wordScore: 1,
    coverage: 1,
    language: null,
    editions: ['2023', '2024'],
    named: [],
    inDocument: [],
  };
}
