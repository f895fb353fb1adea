/** Work on a search table costs the same for one change as for many, so changes are gathered before it, for seconds. */
export interface SearchUpkeep {
  /** From a deletion to the rewriting of the table without it. */
  eraseAfterSeconds: number;
  /** From an addition to folding it into the index. */
  optimizeAfterSeconds: number;
}

export const usualUpkeep: SearchUpkeep = { eraseAfterSeconds: 30, optimizeAfterSeconds: 10 };
