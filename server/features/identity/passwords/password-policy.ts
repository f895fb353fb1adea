import { AppError } from '#contract/errors.ts';
import { commonWords } from './common-words.ts';

const minLength = 12;
const maxLength = 128;
/** So many common words in a row are still tried one by one. */
const maxWords = 2;

/**
 * The password policy: length, and nothing that is guessed first. No rules of composition.
 * @throws AppError `weak-password`; the text says what to change.
 */
export function requireStrongPassword(
  password: string,
  { email, companyName }: { email: string; companyName: string },
): void {
  const length = [...password].length;
  if (length < minLength || length > maxLength) throw new AppError('weak-password');
  const plain = plainOf(password);
  const localPart = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  if (contains(password.toLowerCase(), localPart) || contains(plain, plainOf(localPart))) {
    throw new AppError('weak-password', { message: 'Please choose a password that does not contain your email name.' });
  }
  if (isCommon(password.toLowerCase(), wordsOf(companyName))) {
    throw new AppError('weak-password', { message: 'This password is too easy to guess. Please choose another one.' });
  }
}

/** One or two letters stand in almost any password, and so don't count. */
function contains(text: string, part: string): boolean {
  return part.length >= 3 && text.includes(part);
}

/**
 * Of twelve characters and more, the passwords guessed first are short common words with something cheap around them:
 * digits, signs, repetition, a run on the keyboard. So what is left without these decides.
 */
function isCommon(lower: string, wordsOfCompany: string[]): boolean {
  if (new Set(lower).size < 5) return true;
  if (repeats(lower) || runs.some((run) => coveredBy(lower, run))) return true;
  const words = [...wordsOfCompany, ...commonWords];
  // Digits are tried as letters and as what they are: `p4ssw0rd`, `password1234`.
  return [plainOf(lower), lower.replace(/[^\p{L}]/gu, '')].some((letters) => {
    let rest = letters;
    const found = words.filter((word) => {
      const without = rest.replaceAll(word, '');
      const there = without !== rest;
      rest = without;
      return there;
    });
    // Several words that have nothing to do with each other are a good password, however common each is.
    const little = rest.length < 4 || new Set(rest).size === 1;
    return found.length > 0 && found.length <= maxWords && little;
  });
}

/** The company's name and its words are the first things tried after the usual ones. */
function wordsOf(companyName: string): string[] {
  const words = companyName.split(/[^\p{L}\p{N}]+/u).map(plainOf);
  return [words.join(''), ...words].filter((word) => word.length >= 3).sort((a, b) => b.length - a.length);
}

/** The letters of a password, with the usual replacements undone and digits and signs left out. */
function plainOf(text: string): string {
  const letters = [...text.toLowerCase()].map((each) => replacements.get(each) ?? each).join('');
  return letters.replace(/[^\p{L}]/gu, '');
}

const replacements = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['@', 'a'],
  ['$', 's'],
  ['!', 'i'],
]);

/** Whether it is one piece of at most half its length, again and again (`abc1abc1abc1`). */
function repeats(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) < text.length;
}

/** Whether it is nothing but pieces (4 or longer) of the run, forwards or backwards. */
function coveredBy(text: string, run: string): boolean {
  const both = [run, [...run].reverse().join('')];
  let at = 0;
  while (at < text.length) {
    let length = 0;
    for (const each of both) {
      let fits = text.length - at;
      while (fits > 0 && !each.includes(text.slice(at, at + fits))) fits -= 1;
      length = Math.max(length, fits);
    }
    if (length < 3) return false;
    at += length;
  }
  return true;
}

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '!@#$%^&*()',
];
