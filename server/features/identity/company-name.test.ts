import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { nameInMail, requireCompanyName } from './company-name.ts';

const refused = { code: 'invalid-company-name' };

describe("a company's name", () => {
  test.each([
    'Nordwind Logistics',
    'Müller & Söhne GmbH & Co. KG',
    'Weber GmbH & Co.KG',
    'A.P. Moller - Maersk A/S',
    "St. Mary's Hospital, No. 1",
    'Barilla S.p.A.',
    'Kanzlei Dr. Beispiel e.V.',
    'AT&T Inc.',
    '東海精密電機株式会社',
    'شرکت نمونه',
    '24/7 Services 3.0',
    'J.Smith & Sons',
    'A.Müller KG i.Gr.',
    'Hans Beispiel e.Kfm.',
  ])('%s is taken', (name) => {
    expect(() => requireCompanyName(name)).not.toThrow();
    expect(nameInMail(name)).toBe(name);
  });

  test.each([
    'Payroll: your bonus, https://evil.example/x',
    'http://1.2.3.4',
    'Visit www.evil',
    'evil.example',
    'Your bonus at evil.example/pay now',
    'EVIL.EXAMPLE',
    'evil．example',
    'evil。example',
    'e\u200bvil\u200b.exa\u200bmple',
    '例え.テスト',
    'pay@evil.example',
    'Your bonus: t.co/x1',
    'Your bonus: 9。vu?x1',
    'ftp://x',
    'Two\nlines',
    'Two\r\nlines',
    'Two\u2028lines',
    'Tab\there',
    'Nul\0',
    '\u202eelpmaxe',
  ])('%j is refused', (name) => {
    expect(() => requireCompanyName(name)).toThrow(expect.objectContaining(refused));
  });

  test('with an address anywhere in it is refused, and stands in no mail', () => {
    const address = fc.constantFrom('https://a.b', 'evil.example', 'www.x', 'a@b.de', 'sub.evil.co.uk/path');
    fc.assert(
      fc.property(fc.string(), address, fc.string(), (before, link, after) => {
        const name = `${before} ${link} ${after}`;
        expect(() => requireCompanyName(name)).toThrow(expect.objectContaining(refused));
        expect(nameInMail(name)).toBeNull();
      }),
    );
  });

  test('of old that is long is cut in mails', () => {
    expect(nameInMail('x'.repeat(200))).toBe(`${'x'.repeat(80)}…`);
  });
});
