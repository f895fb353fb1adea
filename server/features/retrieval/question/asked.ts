/** Until when, or since when, says how long. */
const asksHowLong = /(?<!\p{L})how (?:long|old|soon|recent(?:ly)?|early|late|far)(?!\p{L})/iu;

/** What a question says itself, read once for all that is compared with it. */
export interface Asked {
  text: string;
  lower: string;
  numbers: ReadonlySet<string>;
  /** It asks since when or until when, which says how long: then a date is as good as an amount. */
  isHowLong: boolean;
}

/**
 * Characters of a question that are compared with each sentence: what is pasted above or below it says nothing of its
 * answer.
 */
const maxCompared = 1000;
const maxNumbers = 50;

/** Reads a question for what is compared with it; of a long one only the beginning. */
export function readAsked(question: string): Asked {
  const text = question.slice(0, maxCompared);
  const numbers = new Set(text.match(/\d+/g)?.slice(0, maxNumbers));
  return { text, lower: text.toLowerCase(), numbers, isHowLong: asksHowLong.test(text) };
}
