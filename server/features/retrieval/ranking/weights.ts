import weights from './weights.json' with { type: 'json' };

/**
 * What the parts of the ranking count: `passages` each signal that speaks for a passage, `linked` that its document is
 * named in one of the best, `fields` a term in headings, title and what the document is about beside one in the text,
 * `lines` each signal that a line answers and what is left of the score by words, `standIns` how many terms of the
 * documents stand in for one that none of them has.
 */
export type RankingWeights = typeof weights;

/**
 * Fitted on eight and seven sets, judged on each by weights of the others (`docs/decisions/0024`, `0025` and `0029`);
 * `fields`, `standIns` and `otherName` are set by hand.
 */
export const fittedWeights: RankingWeights = weights;
