/**
 * Why a model, embeddings or reranking service did not do what it was asked:
 * - `unavailable`: not reached, too slow, broke off, or failed on its side; another time it may work
 * - `rate-limited`: asked too often, or the account's quota is used up; `retryAfterSeconds` where it said so
 * - `refused`: the service or the model declined to answer this request; asking again will not help
 * - `length`: the answer reached its largest length and stops in the middle
 * - `misconfigured`: the key, the model's name, the address or the shape of the answer is wrong; the operator has to
 * act
 */
export type ProviderFailureKind = 'unavailable' | 'rate-limited' | 'refused' | 'length' | 'misconfigured';

/** The message is for the log: it holds no key, no question and no text of a document. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** Seconds until another try makes sense, where the service named them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: ProviderFailureKind,
    message: string,
    { retryAfterSeconds, ...options }: ErrorOptions & { retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
