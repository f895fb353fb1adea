import type { Quantity } from './dates.ts';
import { type Token, wordSet } from './tokens.ts';

const rangeWords = wordSet("to and or bis und oder à jusqu'à jusqu'au et ou y o - – —");
/** Marks around the members of a list. */
const quoted = /^["“”«»]$/;
/** Before the last member of a list of several. */
const listEnd = /^,? ?(?:and|or|und|oder|et|ou|y|e|o|u)$/;

/** "between 0 and 40 °C", "5–30 days": a number without a unit has that of the one it is joined to. */
export function shareUnits(found: Quantity[], tokens: readonly Token[]): Quantity[] {
  let isListed = false;
  for (let i = found.length - 2; i >= 0; i--) {
    const [quantity, next] = [found[i], found[i + 1]];
    if (!quantity || !next) continue;
    const joint = tokens.slice(quantity.end, next.start).filter((token) => !isMark(token));
    const isRange = joint.length === 0 || (joint.length === 1 && rangeWords.has(joint[0]?.folded ?? ''));
    const isLast = listEnd.test(joint.map(({ folded }) => folded).join(' '));
    // "0, 30, 60, and 90 days": what stands before commas belongs to the list that "and" ends.
    isListed = isLast || (isListed && joint.length === 1 && joint[0]?.text === ',');
    const isJoined = isRange || (isListed && (!isLast || isThird(found, i, tokens)));
    if (!isJoined || quantity.of !== 'count' || quantity.noun.length > 0) continue;
    found[i] = {
      ...quantity,
      of: next.of,
      noun: next.noun,
      per: next.per,
      base: next.base,
      values: quantity.values.map((value) => value * next.base),
    };
  }
  return found;
}

/** Before it another number stands, and a comma between both: "5, 10, and". */
function isThird(found: readonly Quantity[], i: number, tokens: readonly Token[]): boolean {
  const [before, quantity] = [found[i - 1], found[i]];
  const between = tokens.slice(before?.end, quantity?.start).filter((token) => !isMark(token));
  return before !== undefined && between.length === 1 && between[0]?.text === ',';
}

/** Whether a token is a mark around what is quoted. */
export function isMark(token: Token | undefined): boolean {
  return token !== undefined && quoted.test(token.text);
}
