import { describe, expect, test } from 'vitest';
import { requireStrongPassword } from './password-policy.ts';

const person = { email: 'robin.hood@example.org', companyName: 'Nordwind Logistik GmbH' };
const check = (password: string) => requireStrongPassword(password, person);

describe('refused', () => {
  test.each([
    // What stands in lists of used passwords, of 12 characters and more.
    ...[
      'password1234',
      'Password123!',
      'passwordpassword',
      'P@ssw0rd2025!',
      'mypassword123',
      'passw0rd1234',
      '1234567890qwerty',
    ],
    ...[
      'qwerty123456',
      'qwertyuiop[]',
      'qwertyuiop123',
      'Qwerty1234567',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc',
      'q1w2e3r4t5y6',
      '123qweasdzxc',
    ],
    ...[
      '123456789012',
      '111222333444',
      '123123123123',
      '000000000000',
      '1234567890123',
      '123456123456',
      '987654321098',
      'abcdefghijkl',
    ],
    ...[
      'iloveyou1234',
      'iloveyouforever',
      'princess1234',
      'sunshine2024',
      'chocolate123',
      'butterfly123',
      'christopher1',
      'basketball12',
    ],
    ...[
      'liverpool123',
      'manchester12',
      'linkinpark12',
      'harrypotter1',
      'spongebob123',
      'superstar123',
      'strawberry12',
      'hellokitty12',
    ],
    ...[
      'barcelona123',
      'juventus1897',
      'realmadrid10',
      'schalke04schalke04',
      'dortmund0909',
      'Sonnenschein1',
      'Feuerwehr112!',
      'ichliebedich',
    ],
    ...[
      'hallo1234567',
      'Passwort123!',
      'Willkommen2024',
      'bonjour12345',
      'motdepasse12',
      'welcome12345',
      'letmein12345',
      'changeme1234',
    ],
    ...[
      'administrator',
      'Admin1234567',
      'Summer2025!!',
      'Winter2024!!',
      'January2025!',
      'trustno1trustno1',
      'dragondragon',
    ],
    ...[
      'monkeymonkey',
      'asdfghjkl123',
      'zxcvbnm12345',
      'asdfasdfasdf',
      'abcd1234abcd1234',
      'footnote2025',
      'Footnote-Footnote',
      'samsung12345',
    ],
    ...[
      'aaaaaaaaaaaaaaaa',
      'abababababab',
      'michelle1990',
      'jonathan1985',
      'alexander123',
      'elizabeth123',
      'starwars1977',
      'pokemon12345',
    ],
  ])('a common one: %s', (password) => {
    expect(() => check(password)).toThrow('This password is too easy to guess.');
  });

  test.each(['Nordwind2025', 'nordwind-logistik', 'LOGISTIK12345', 'N0rdw1nd!!!!', 'nordwindgmbh1'])(
    'the name of the company: %s',
    (password) => expect(() => check(password)).toThrow('This password is too easy to guess.'),
  );

  test.each(['xx-robin.hood-xx-77', 'MY R0BINHOOD 4711!'])('the name in the e-mail: %s', (password) => {
    expect(() => check(password)).toThrow('does not contain your email name');
  });

  test.each(['elevenchars', '', 'x1'.repeat(65)])('a wrong length: "%s"', (password) => {
    expect(() => check(password)).toThrow('12 to 128 characters');
  });
});

test.each([
  'violet anchors drift 71',
  'correct horse battery staple',
  'purple monkey dragon cheese',
  'my dog eats green cushions',
  'the nordwind blows on tuesdays',
  '密码很长而且不容易猜到的一句话',
  'Tr0ub4dor-under-glass',
  '8QmZ-4xPv-9LkW',
  'xK7#pL2$vN9@',
  'zwölf Boxkämpfer jagen Viktor',
  '🦊🐢🦉🐝🦋🐌🐞🐍🦎🐙🦑🦀',
  'x'.repeat(3) + 'yet another long one'.repeat(6),
])('taken: %s', (password) => {
  expect(() => check(password)).not.toThrow();
});
