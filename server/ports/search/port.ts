/**
 * The full-text engine: it proposes candidates, one table per company. Its text is a copy: PostgreSQL decides what is
 * live, and the whole store can be thrown away and built again. All methods are safe to repeat.
 */
export interface SearchStore {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;
  /** Adds chunks; found by `search` as soon as this returns. A chunk id that is there already is replaced. */
  add(companyId: string, chunks: SearchChunk[]): Promise<void>;
  /** The best candidates by BM25 over title, headings and body, best first. An unknown company has none. */
  search(companyId: string, request: SearchRequest): Promise<Candidate[]>;
  /** Removes a document, or its versions before one; not found by any `search` that starts afterwards. */
  remove(companyId: string, documentId: string, versions?: { before: number }): Promise<void>;
  /** Folds added rows into the index when there are enough of them to slow searches down. */
  optimize(companyId: string): Promise<void>;
  /**
   * Rewrites the company's table with the live chunks alone, so that no file of before is left. Nothing else may write
   * to the table meanwhile: it would be lost.
   */
  erase(companyId: string, live: AsyncIterable<SearchChunk[]>): Promise<void>;
  close(): Promise<void>;
}

export interface SearchChunk {
  /** uuid */
  id: string;
  documentId: string;
  version: number;
  title: string;
  heading: string;
  body: string;
}

export interface SearchRequest {
  text: string;
  limit: number;
  /** Only chunks of these documents. */
  documentIds?: string[];
}

export interface Candidate {
  id: string;
  /** Comparable within one search only. */
  score: number;
}
