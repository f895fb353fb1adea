const inside = /[\p{L}\p{N},–—)\]"”’-]\s*$/u;
const begins = /^\s*\p{Ll}[\p{L}’'-]*(?:[\s,;:.)]|$)/u;
const open =
  /(?:,|(?<!\p{L})(?:an?|the|of|to|for|from|with|by|at|in|on|and|or|that|which|than|as|is|are|was|were|be|been|has|have|had|must|shall|will|would|should|could|can|may|not|under|over|into|onto|upon|between|through|against|about|within|without|any|each|such|this|these|those|if|when|where|who|whose|but|their|its|your|our|de[rnmst]|die|das|ein|eine[rnms]?|und|oder|von|vom|zur?|zum|mit|für|bei|im|ist|sind|nicht|dass|le|la|les|des|du|un|une|et|ou|pour|avec|dans|sur|que|qui|est|el|los|las|del|una|y|con|por|para|en|es|il|lo|gli|di|della|dei|per|che|sono))\s*$/iu;

/** Whether a line ends where its sentence may go on: not with a full stop, a colon or a question mark. */
export function endsInside(line: string): boolean {
  return inside.test(line);
}

/** Whether a line begins with a small letter, as one that goes on from another does. */
export function beginsInside(line: string): boolean {
  return begins.test(line);
}

/**
 * Whether a line ends with a comma, or with a word after which a sentence goes on whatever it goes on with: in English,
 * German, French, Spanish, Italian.
 */
export function endsOpen(line: string): boolean {
  return open.test(line);
}
