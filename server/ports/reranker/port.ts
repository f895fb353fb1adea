/** Reads a question together with each passage, and says how well it answers. Absent where none is configured. */
export interface Reranker {
  /** The implementation and the model, for `/readyz`. */
  readonly name: string;
  /**
   * One score for each passage, in the same order; higher is better, comparable within one call only. Safe to repeat.
   * An empty list asks nobody.
   * @throws ProviderFailure; the signal's reason where it was aborted
   */
  rerank(question: string, passages: string[], signal: AbortSignal): Promise<number[]>;
}
