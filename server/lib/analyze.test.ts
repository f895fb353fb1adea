import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { analyze, isComposite, questionTerms } from './analyze.ts';

describe('the terms of a text', () => {
  test('a code is one term, and so are its parts', () => {
    expect(analyze('Invoice INV-2024/0031')).toEqual(['invoic', 'inv-2024/0031', 'inv', '2024', '0031']);
    expect(analyze('C++ and C# and C')).toEqual(expect.arrayContaining(['c++', 'c#', 'c']));
    expect(analyze('v3.14')).toEqual(expect.arrayContaining(['v3.14']));
    expect(analyze('a.b@example.org')).toContain('a.b@example.org');
    expect(analyze('E-204, E-314.')).toEqual(expect.arrayContaining(['e-204', 'e-314']));
    expect(isComposite('e-204')).toBe(true);
    expect(isComposite('204')).toBe(false);
  });

  test.each([
    ['warranties', 'warranty'],
    ['travelled', 'travel'],
    ['planning', 'plan'],
    ['processes', 'process'],
    ['Verträge', 'Vertrag'],
    ['Verträgen', 'Vertrag'],
    ['Straße', 'Strasse'],
    ['Zürich', 'Zurich'],
    ['CAFÉ', 'cafe'],
    ["company's", 'company'],
    ['l’article', 'article'],
    ['ﬁling', 'filing'],
    ['１２３', '123'],
    ['المُدَّة', 'المدة'],
    ['والضمان', 'الضمان'],
    ['بالضمان', 'ضمان'],
    ['Ёлка', 'ёлка'],
  ])('%s is found by %s', (one, other) => {
    expect(analyze(one)).toEqual(analyze(other));
  });

  test.each([
    ['policy', 'police'],
    ['145', '1450'],
    ['bus', 'bu'],
  ])('%s is not taken for %s', (one, other) => {
    expect(analyze(one)).not.toEqual(analyze(other));
  });

  test('scripts without spaces become pairs, and the Latin words and numbers among them stay whole', () => {
    expect(analyze('保証期間')).toEqual(['保証', '証期', '期間']);
    expect(analyze('茶')).toEqual(['茶']);
    expect(analyze('ประกัน').every((pair) => [...pair].length === 2)).toBe(true);
    expect(analyze('型号TS-540F的保修')).toEqual(expect.arrayContaining(['型号', 'ts-540f', '保修']));
  });

  test('signs, blanks and nothing give no terms', () => {
    for (const text of ['', ' \n\t', '?!…', '— “”', '\ud83d', '\u0301']) expect(analyze(text)).toEqual([]);
  });

  test('no text breaks it; terms can be joined by blanks and told apart again', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const term of analyze(text)) expect(term).toMatch(/^\S+$/u);
      }),
    );
  });

  test('case, composed characters and what stands around make no difference', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcéüñßλжд0123-/. ') }), (text) => {
        const terms = analyze(text);
        expect(analyze(text.normalize('NFD'))).toEqual(terms);
        expect(analyze(`(${text})`)).toEqual(terms);
        expect(analyze(analyze(text.toUpperCase()).join(' ')).sort()).toEqual(analyze(terms.join(' ')).sort());
      }),
    );
  });
});

describe('the terms of a question', () => {
  test.each([
    ['What is the notice period?', 'en', ['notic', 'period']],
    ['Wer bezahlt die Sicherheitsschuhe?', 'de', ['bezahlt', 'sicherheitsschuh']],
    ['Quelle est la durée du contrat ?', 'fr', ['dure', 'contrat']],
  ] as const)('%s', (question, language, terms) => {
    expect(questionTerms(question)).toEqual({ terms, language });
  });

  test('the letters of an abbreviation ask for nothing by themselves', () => {
    expect(questionTerms('What did we spend on R&D?').terms).toEqual(['spend', 'r&d']);
    expect(analyze('R&D')).toEqual(['r&d', 'r', 'd']);
  });

  test('an ending is no part of a name with a sign in it', () => {
    expect(analyze("AT&T's")).toEqual(analyze('AT&T'));
    expect(analyze('Coca-Cola’s')).toEqual(analyze('Coca-Cola'));
    expect(analyze("Acme's")).toEqual(analyze('Acme'));
  });

  test.each([
    ['how dont we pay for shoes', ['pay', 'shoes']],
    ['whats the price', ['price']],
    ['Wie viele Enten gab es?', ['Enten']],
    ['komu składa się wniosek', ['składa', 'wniosek']],
    ['mihin aikaan työpäivä alkaa', ['työpäivä', 'alkaa']],
    ['hoe vaak mag ik thuiswerken', ['thuiswerken']],
  ])('%s: the words that ask are left out, also without an apostrophe', (question, words) => {
    expect(questionTerms(question).terms).toEqual(analyze(words.join(' ')));
  });

  test("only the words of the question's own language are left out", () => {
    expect(questionTerms('Wofür und womit wird bezahlt?').terms).toEqual(analyze('bezahlt'));
    expect(questionTerms('When did the war die down?').terms).toEqual(expect.arrayContaining(['war', 'die']));
  });

  test('where there is nothing else, the words that are left out elsewhere are searched', () => {
    expect(questionTerms('To be or not to be').terms).not.toEqual([]);
    expect(questionTerms('The Who').terms).not.toEqual([]);
    expect(questionTerms('是什么').terms).not.toEqual([]);
  });

  test('each term comes once, and is a term of the text it was asked in', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { terms } = questionTerms(text);
        expect(new Set(terms).size).toBe(terms.length);
        if (analyze(text).length > 0) expect(terms.length).toBeGreaterThan(0);
      }),
    );
  });
});

function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('保', 'ก', '่', 'a', 'ß', '-', "'", '+', '#', ' ', '7', 'ال', 'い', 'ー', '\ud83d'))
      .map((each) => each.join('')),
  );
}

test.each([
  ['Combien de salariés avait le groupe ?', 'combien'],
  ['¿Cuántos programas muestra la aplicación?', 'cuántos'],
  ['¿Cuánta deuda tiene la empresa?', 'cuánta'],
  ['Quanti dipendenti ha il gruppo?', 'quanti'],
])('%s: the word that asks is none that is looked for', (question, asks) => {
  const { terms } = questionTerms(question);
  expect(terms.length).toBeGreaterThan(1);
  for (const term of analyze(asks)) expect(terms).not.toContain(term);
});
