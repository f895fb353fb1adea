import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { findQuote, type Quote } from './find-quote.ts';

/** The words that would be marked, page by page. */
function marked(pages: string[][], quote: string, context: Partial<Quote> = {}): string[][] | null {
  const found = findQuote(pages, { quote, before: '', after: '', ...context });
  if (found === null) return null;
  return found.map((spans, page) => spans.map(({ item, start, end }) => pages[page]?.[item]?.slice(start, end) ?? ''));
}

test('marks the words and nothing around them', () => {
  const page = ['Paris, London: EUR 220. Zürich, ', 'Geneva: CHF 240 per night. Other cities'];
  expect(marked([page], 'Zürich, Geneva: CHF 240 per night.')).toEqual([['Zürich,', 'Geneva: CHF 240 per night.']]);
});

describe('does not mind', () => {
  test.each<[string, string[], string, string[]]>([
    [
      'a hyphen at the end of a line',
      ['The notifi-', 'cation is due.'],
      'The notification is due.',
      ['The notifi-', 'cation is due.'],
    ],
    ['a hyphen that belongs to the word', ['a well-', 'known rule'], 'well-known rule', ['well-', 'known rule']],
    ['a soft hyphen', ['co\u00ADoperation counts'], 'cooperation', ['co\u00ADoperation']],
    ['ligatures', ['The o\uFB03ce is \uFB01ne'], 'The office is fine', ['The o\uFB03ce is \uFB01ne']],
    ['spaces that were lost or added', ['CHF240', ' per  night'], 'CHF 240 per night', ['CHF240', 'per  night']],
    ['accents in two characters', ['Zu\u0308rich'], 'Zürich', ['Zu\u0308rich']],
    ['other quotation marks', ['the \u201Cbase\u201D rate'], 'the "base" rate', ['the \u201Cbase\u201D rate']],
    ['cells of a table', ['Zone 3', ' ', '48.50', ' ', '1.20'], 'Zone 3 | 48.50 | 1.20', ['Zone 3', '48.50', '1.20']],
    ['line ends without text', ['one', '', 'two'], 'one two', ['one', 'two']],
    ['scripts without spaces', ['保証期間は二', '年です。'], '保証期間は二年です。', ['保証期間は二', '年です。']],
    ['letters outside of the basic plane', ['😀 yes 𝒳 no'], 'yes 𝒳', ['yes 𝒳']],
  ])('%s', (_what, items, quote, expected) => {
    expect(marked([items], quote)).toEqual([expected]);
  });
});

test('the context decides which of two equal quotes is meant', () => {
  const page = ['In Bern: EUR 100.', 'In Rome: EUR 100.', 'In Oslo: EUR 100.'];
  const at = (context: Partial<Quote>) =>
    findQuote([page], { quote: 'EUR 100.', before: '', after: '', ...context })?.[0]?.[0]?.item;
  expect(at({ before: 'In Rome: ' })).toBe(1);
  expect(at({ before: 'EUR 100. In Oslo: ' })).toBe(2);
  expect(at({ after: ' In Rome' })).toBe(0);
  expect(at({})).toBe(0);
});

describe('a quote over two pages', () => {
  test('is marked on both', () => {
    expect(marked([['It ends'], ['on the next.']], 'It ends on the next.')).toEqual([['It ends'], ['on the next.']]);
  });

  test('skips the footer and the header between', () => {
    const pages = [
      ['Claims must be', 'filed within ten', 'Travel policy', 'page 7'],
      ['Nordwind 2026', 'working days of arrival.', 'Later ones lapse.'],
    ];
    expect(marked(pages, 'Claims must be filed within ten working days of arrival.')).toEqual([
      ['Claims must be', 'filed within ten'],
      ['working days of arrival.'],
    ]);
  });

  test('does not take the first letter of a footer for its next one', () => {
    expect(marked([['goods are', 'warehouse rules'], ['washed at once']], 'goods are washed at once')).toEqual([
      ['goods are'],
      ['washed at once'],
    ]);
  });

  test('may stand on the second alone', () => {
    expect(marked([['Before.'], ['Here it is.']], 'Here it is.')).toEqual([[], ['Here it is.']]);
  });
});

test('says so when the quote is not there', () => {
  expect(marked([['Something else', 'entirely']], 'The rate is 5 %')).toBeNull();
  expect(marked([['The rate is 6 %']], 'The rate is 5 %')).toBeNull();
  expect(marked([['text']], ' \u00AD-\n ')).toBeNull();
  expect(marked([], 'text')).toBeNull();
  expect(marked([[]], 'text')).toBeNull();
});

const word = fc.stringMatching(/^[a-zäéß0-9.,]{1,8}$/);

test('finds any run of words, however the page is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.boolean()),
      fc.nat(),
      fc.nat(),
      (words, breaks, a, b) => {
        const from = a % words.length;
        const to = from + 1 + (b % (words.length - from));
        const pieces: string[] = [''];
        for (const [index, each] of words.entries()) {
          if (index > 0 && breaks.next().value) pieces.push('');
          pieces.push(`${pieces.pop() ?? ''}${index > 0 ? ' ' : ''}${each}`);
        }
        const quote = words.slice(from, to).join(' ');
        const found = marked([pieces], quote, {
          before: words.slice(0, from).join(' '),
          after: words.slice(to).join(' '),
        });
        expect(found?.flat().join('').replace(/\s/g, '')).toBe(quote.replace(/\s/g, ''));
      },
    ),
  );
});

test('never marks outside of a piece, and in order', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('-', '|', 'ab', 'ﬁ', ' ', '\u00AD'),
  );
  fc.assert(
    fc.property(fc.array(fc.array(piece), { maxLength: 2 }), fc.string({ unit: 'grapheme' }), (pages, quote) => {
      const found = findQuote(pages, { quote, before: '', after: '' });
      for (const [page, spans] of (found ?? []).entries()) {
        let last = -1;
        for (const { item, start, end } of spans) {
          expect(item).toBeGreaterThan(last);
          last = item;
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(pages[page]?.[item]?.length ?? 0);
        }
      }
    }),
  );
});
