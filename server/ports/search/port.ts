import type { IndexedText } from '#server/lib/term-lines.ts';

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
  /** Those of the chunks that are there, in any order: what was found by its vector has terms, too. */
  candidates(companyId: string, chunks: { id: string; documentId: string }[]): Promise<Candidate[]>;
  /**
   * Adds vectors of chunks, found by `searchVectors` as soon as this returns; without effect in a store that was opened
   * without an embedding model. The full text neither needs them nor waits for them.
   * @throws where they have another number of dimensions than those that are there
   */
  addVectors(companyId: string, vectors: ChunkVector[]): Promise<void>;
  /**
   * The chunks whose vectors are nearest in direction to the one given, nearest first; none where there are no vectors.
   * @param vector of length 1, made by the store's model
   */
  searchVectors(companyId: string, vector: Float32Array, limit: number, within?: Within): Promise<VectorCandidate[]>;
  /** How many chunks of each version have vectors, by `versionKey`. */
  vectorCounts(companyId: string): Promise<Map<string, number>>;
  /** Those of the chunks that have no vector yet; none in a store without an embedding model. */
  withoutVectors(companyId: string, ids: string[]): Promise<string[]>;
  /** Puts all chunks and vectors of these documents into another collection; null: into none. */
  move(companyId: string, documentIds: readonly string[], collectionId: string | null): Promise<void>;
  /** Removes a document, or its versions before one; not found by any `search` that starts afterwards. */
  remove(companyId: string, documentId: string, versions?: { before: number }): Promise<void>;
  /** Whether the company has a table. */
  has(companyId: string): Promise<boolean>;
  /** The companies that have a table. */
  companies(): Promise<Set<string>>;
  /**
   * Folds added rows into the index, and puts additions together, when there are enough of them to slow searches down.
   */
  optimize(companyId: string): Promise<void>;
  /**
   * Rewrites the company's table with the live chunks alone, so that no file of before is left. Nothing else may write
   * to the table meanwhile: it would be lost.
   */
  erase(companyId: string, live: AsyncIterable<SearchChunk[]>): Promise<void>;
  /** Removes everything of a company that is no more; absent is fine. Nothing else may write to it meanwhile. */
  drop(companyId: string): Promise<void>;
  close(): Promise<void>;
}

/** Names a version of a document in `vectorCounts`. */
export function versionKey({ documentId, version }: { documentId: string; version: number }): string {
  return `${documentId}/${version}`;
}

export interface SearchChunk extends IndexedText {
  /** uuid */
  id: string;
  documentId: string;
  version: number;
  /** Of its document; absent: none. */
  collectionId?: string | null;
}

export interface ChunkVector {
  /** The chunk's id. */
  id: string;
  documentId: string;
  version: number;
  /** Of its document; absent: none. */
  collectionId?: string | null;
  /** Of length 1. */
  vector: Float32Array;
}

export interface VectorCandidate {
  id: string;
  documentId: string;
  /** Cosine: from -1 to 1. */
  similarity: number;
}

/** Where candidates are looked for; absent: everywhere. What may be seen is not decided here: a move may come later. */
export interface Within {
  /** Only chunks of these documents. */
  documentIds?: readonly string[];
  /** Only chunks in one of these collections, or in none. */
  collections?: readonly string[];
}

export interface SearchRequest extends Within {
  text: string;
  /** Further terms, as `analyze` gives them: forms of the words that the text misspells or nobody writes so. */
  also?: readonly string[];
  /** Only chunks of documents whose name, or what they say of themselves at their beginning, has one of these terms. */
  about?: readonly string[];
  limit: number;
}

/** A chunk that was found, with its terms as they were indexed: what is ranked need not be read and analysed again. */
export interface Candidate {
  id: string;
  documentId: string;
  /** As `toTermLines` writes them. */
  terms: string;
}
