import { AppError } from '#contract/errors.ts';

const maxInMail = 80;

/**
 * What stands in mails to people who know nothing of us yet: a name that is a message with an address, or has more than
 * a line, would make them ours.
 * @throws AppError `invalid-company-name`
 */
export function requireCompanyName(name: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name) || hasAddress(name)) {
    throw new AppError('invalid-company-name');
  }
}

/** The name as it stands in a mail: short, and without what a mail program makes a link of; null: better not at all. */
export function nameInMail(name: string): string | null {
  if (hasAddress(name)) return null;
  const letters = [...name];
  return letters.length > maxInMail ? `${letters.slice(0, maxInMail).join('')}…` : name;
}

/** Whether a mail program would make a link of something in it: `https://…`, `www.…`, `example.com`, an e-mail. */
function hasAddress(name: string): boolean {
  // As a browser reads it: wide letters and dots as plain ones, and nothing that is not seen.
  const plain = name
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/\p{Cf}/gu, '');
  // In German firms are called so, without a blank.
  const usual = plain.replace(/(^|[\s&])Co\.(KG|OHG|KGaA)\b/gi, '$1Co $2');
  // A single letter before the dot is an initial, unless a path follows, as with services that shorten addresses.
  return /:\/\/|\bwww\.|@|[\p{L}\p{N}\p{M}_-]{2,}\.[\p{L}\p{M}]{2,}|[\p{L}\p{N}]\.[\p{L}\p{M}]{2,}[/?#]/iu.test(usual);
}
