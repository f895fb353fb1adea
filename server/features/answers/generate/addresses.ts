/**
 * Addresses in what a model writes: where nothing supports them, a reader must not be led there. What is known for one
 * is written so that neither a browser nor a mail program takes it for one: without a scheme, its dots in brackets.
 */

const colon = '(?:[:：∶]|\\[:\\]|&colon;|&#0*58;|&#x0*3a;)';
const slash = '(?:[/\\\\／＼⁄∕]|&sol;|&#0*47;|&#x0*2f;)';
const dot = '(?:[.。．｡․]|&period;|&#0*46;|&#x0*2e;)';
/** Of what follows a scheme; what closes a bracket or a sentence may be among it. */
const unspaced = '[^\\s<>"“”„«»]{0,500}';
const label = '[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}_-]{0,62}';
const host = `${label}(?:${dot}${label}){1,8}`;
/** `https://`, `hxxps:/`, `https:x`, `slack://`, `mailto:`. */
const scheme = [
  `\\p{L}${colon}${slash}{2,4}`,
  `\\p{L}[\\p{L}\\p{N}+.-]{1,20}${colon}${slash}{1,4}`,
  `[hｈ][tｔx]{1,3}[pｐ][sｓ]?${colon}(?=\\S)`,
  `(?:mailto|tel|sms|callto|skype|facetime|javascript|vbscript)${colon}(?=\\S)`,
  `data${colon}(?=[a-z]+/)`,
].join('|');
/**
 * Ends of names that programs take for addresses where they stand alone; of others only with a path, a port or `www.`.
 */
const generic =
  'com|net|org|edu|gov|mil|int|info|biz|name|pro|aero|asia|coop|museum|mobi|travel|jobs|app|dev|xyz|online|site|website|web|shop|store|top|club|live|life|world|cloud|tech|digital|email|support|help|services|solutions|systems|network|zone|space|icu|vip|win|click|link|download|page|blog|news|host|security|finance|bank|zip|mov|example|test|local|xn--[\\p{L}\\p{N}-]{2,40}|рф|укр|бел|中国|中國|公司|网络|网址|한국|香港|台灣|台湾|भारत|السعودية|مصر|امارات';
const bare = [
  `www${dot}${host}`,
  `${label}(?:${dot}${label}){0,7}${dot}(?:${generic}|(?!js|ts|cs|vb|db)[a-z]{2})(?![\\p{L}\\p{N}\\p{M}_-])`,
  `${label}(?:${dot}${label}){0,7}${dot}\\p{L}{2,24}(?=${colon}\\d|${slash}[^\\s/])`,
].join('|');
const isScheme = new RegExp(`(?<![\\p{L}\\p{N}])(?:${scheme})|(?<![\\p{L}\\p{N}:/])//(?=[\\p{L}\\p{N}])`, 'giu');
const address = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?:${scheme})${unspaced}`,
    `(?<![\\p{L}\\p{N}:/])//${host}${unspaced}`,
    `(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}._%+-]{1,64}@${host}`,
    `(?<![\\p{L}\\p{N}@])(?:${bare})(?:${colon}\\d{1,5})?(?:[/?#]${unspaced})?`,
  ].join('|'),
  'giu',
);
/** What every address has: looked for first, as nearly no sentence has one, and to look for one takes long. */
const hasSigns = new RegExp(`${colon}|${dot}[\\p{L}\\p{N}]`, 'iu');
const dotBetween = new RegExp(`(?<=[\\p{L}\\p{N}])${dot}(?=[\\p{L}\\p{N}])`, 'giu');
/** A link or a picture of markdown, and what HTML leads away with. */
const isMarkup =
  /\](?=\()|(?<=^\s*\[[^\]\n]{1,100}\]):|<(?=\/?(?:a|area|audio|base|button|embed|form|iframe|img|input|link|meta|object|script|source|svg|video)\b)/gimu;

/** Where in a text the first address or link begins; null where there is none. */
export function firstAddress(text: string): number | null {
  const patterns = hasSigns.test(text) ? [address, isMarkup] : [isMarkup];
  const places = patterns.map((pattern) => text.search(pattern)).filter((place) => place !== -1);
  return places.length === 0 ? null : Math.min(...places);
}

/** The text without its addresses: what it says of them. */
export function aroundAddresses(text: string): string {
  return replaceAddresses(text, () => ' ');
}

/** UTF-16 code units at the end of a text that may be the beginning of an address, of which the rest is on its way. */
export function begunAddress(text: string): number {
  let length = 0;
  while (length < Math.min(text.length, maxBegun) && begins.test(text.charAt(text.length - 1 - length))) length++;
  return length;
}

const maxBegun = 200;
/** Scripts without blanks would be held back sentence by sentence. */
const begins =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}，。、；：？！]/u;

/**
 * The text with its addresses as plain text: no scheme, dots in brackets, no markup of a link.
 * @param isKept whether an address stays as it is, since a document says so
 */
export function withoutAddresses(text: string, isKept: (address: string) => boolean = () => false): string {
  let kept = 0;
  let changed = 0;
  const plain = replaceAddresses(text, (found) => {
    if (isKept(found.replace(/[.,;:!?)\]}'’*_]{1,20}$/, ''))) {
      kept++;
      return found;
    }
    changed++;
    return withoutSchemes(found).replaceAll(dotBetween, '[.]');
  });
  return kept > 0 && changed === 0 ? plain : plain.replaceAll(isMarkup, (sign) => apart[sign] ?? sign);
}

function replaceAddresses(text: string, replace: (address: string) => string): string {
  return hasSigns.test(text) ? text.replaceAll(address, replace) : text;
}

/** What makes markup of what stands around it, as signs that make none. */
const apart: Record<string, string> = { ']': '] ', ':': ' :', '<': '‹' };

/** One taken out may leave another: `hthttp://tp://`. */
function withoutSchemes(text: string): string {
  const without = text.replaceAll(isScheme, '');
  return without === text ? text : withoutSchemes(without);
}
