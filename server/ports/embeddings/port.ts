/** Turns texts into vectors whose nearness is nearness of meaning. Absent where none is configured. */
export interface Embeddings {
  /** The implementation and the model, for `/readyz`. */
  readonly name: string;
  /** What has to be the same for two vectors to be comparable; kept beside the vectors that are stored. */
  readonly model: string;
  /**
   * One vector of length 1 for each text, in the same order, all with the same number of dimensions; safe to repeat.
   * An empty list asks nobody. Texts longer than the model takes are cut at their end.
   * @param purpose a question and the passage that answers it are not embedded alike by every model
   * @throws ProviderFailure; the signal's reason where it was aborted
   */
  embed(texts: string[], purpose: 'question' | 'passage', signal: AbortSignal): Promise<Float32Array[]>;
}
