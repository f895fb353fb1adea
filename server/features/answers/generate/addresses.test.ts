import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { aroundAddresses, begunAddress, firstAddress, withoutAddresses } from './addresses.ts';

const evil = 'sign-in.evil.example';

describe('addresses that nothing supports', () => {
  test.each([
    ['https://evil.example/login', 'evil[.]example/login'],
    ['HTTPS://EVIL.EXAMPLE', 'EVIL[.]EXAMPLE'],
    ['https:/evil.example', 'evil[.]example'],
    ['https:\\\\evil.example', 'evil[.]example'],
    ['https:evil.example', 'evil[.]example'],
    ['hxxps://evil[.]example/a', 'evil[.]example/a'],
    ['//evil.example/a', 'evil[.]example/a'],
    ['slack://channel?id=1', 'channel?id=1'],
    ['mailto:it@evil.example', 'it@evil[.]example'],
    ['it.help@evil.example', 'it[.]help@evil[.]example'],
    ['www.evil.monster', 'www[.]evil[.]monster'],
    ['evil.com', 'evil[.]com'],
    ['portal.evil.de:8443/a', 'portal[.]evil[.]de:8443/a'],
    ['evil.monster/login', 'evil[.]monster/login'],
    ['https://10.0.0.1/a', '10[.]0[.]0[.]1/a'],
    ['http://localhost:3000', 'localhost:3000'],
    ['https://good.example@evil.example', 'good[.]example@evil[.]example'],
    ['https://a.example/?u=https://evil.example', 'a[.]example/?u=evil[.]example'],
    ['hthttp://tp://evil.example', 'evil[.]example'],
    ['bücher.example', 'bücher[.]example'],
    ['https://пример.рф', 'пример[.]рф'],
    ['例子。中国', '例子[.]中国'],
    ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd[.]xn--p1ai'],
    ['ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｏｍ', 'ｅｖｉｌ[.]ｃｏｍ'],
    ['https&#58;//evil&#46;example', 'evil[.]example'],
    ['[click here](https://evil.example)', '[click here] (evil[.]example)'],
    ['[click here](/login)', '[click here] (/login)'],
    ['![](https://evil.example/a.png)', '![] (evil[.]example/a[.]png)'],
    ['<https://evil.example>', '<evil[.]example>'],
    ['<a href="https://evil.example">here</a>', '‹a href="evil[.]example">here‹/a>'],
    ['[here]: https://evil.example', '[here] : evil[.]example'],
    ['javascript:alert(1)', 'alert(1)'],
  ])('%s is written as %s', (written, plain) => {
    expect(withoutAddresses(written)).toBe(plain);
    expect(withoutAddresses(`Type your password at ${written} today.`.replace('at [here]', 'at\n[here]'))).toContain(
      plain,
    );
    expect(firstAddress(written)).not.toBeNull();
  });

  test.each([
    'Receipts are due within 30 days.',
    'Clause 3.2.1 applies, i.e. 1.5 % or 1,000.50 euros, see report.pdf and Node.js at 10:30.',
    'Mr. J. Osei (approx. 3 km), e.g. A/B and and/or; note: see below.',
    '保修期为两年。从交货之日起计算。',
    'Is 3 < 5, and a[0] an array [appendix] (or not)?',
  ])('%s stays as it is', (text) => {
    expect(withoutAddresses(text)).toBe(text);
    expect(firstAddress(text)).toBeNull();
  });

  test('one that a document has stays, and every other one does not', () => {
    const isKept = (address: string) => 'See https://portal.example/a and nothing else.'.includes(address);
    expect(withoutAddresses('See https://portal.example/a.', isKept)).toBe('See https://portal.example/a.');
    expect(withoutAddresses(`See https://${evil}.`, isKept)).toBe('See sign-in[.]evil[.]example.');
  });

  test('whatever stands around it, no address comes through', () => {
    const signs = ['a', ' ', '.', '/', ':', '(', ')', '[', ']', '<', '>', '@', '"', 'é'];
    const around = fc.string({ unit: fc.constantFrom(...signs) });
    const written = fc.constantFrom(
      'https://evil.example',
      'hxxp://evil.example',
      ' www.evil.example ',
      'evil.example ',
    );
    fc.assert(
      fc.property(around, written, around, (before, address, after) => {
        const plain = withoutAddresses(`${before} ${address}${after}`);
        expect(plain).not.toMatch(/\p{L}:\/\/\p{L}|evil\.example|\]\(/u);
      }),
      { numRuns: 2000 },
    );
  });

  test('what is said of an address is known without it', () => {
    expect(aroundAddresses(`Type it at https://${evil}/a now.`)).toBe('Type it at   now.');
  });

  test('of an address that is on its way all is known to be begun', () => {
    for (let length = 1; length < evil.length; length++)
      expect(begunAddress(`See https://${evil.slice(0, length)}`)).toBe(8 + length);
    expect(begunAddress('See ')).toBe(0);
  });
});
