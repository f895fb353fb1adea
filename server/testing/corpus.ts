import { randomUUID } from 'node:crypto';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { blocks, chunks, companies, documents, versions } from '#server/db/schema.ts';
import { embeddedText } from '#server/features/documents/processing/embed.ts';
import { aboutOf } from '#server/features/ingestion/about.ts';
import { chunkBlocks } from '#server/features/ingestion/chunk.ts';
import type { Block, Chunk, PlacedBlock } from '#server/features/ingestion/document.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';
import { languagesOf } from '#server/lib/language.ts';
import type { Embeddings } from '#server/ports/embeddings/port.ts';
import type { SearchChunk, SearchStore } from '#server/ports/search/port.ts';

/** A document as it is loaded: what a parser would make of it. */
export interface Source {
  name: string;
  blocks: Block[];
  /** How it is cut; absent: as the product does. */
  chunk?: (placed: PlacedBlock[]) => Chunk[];
  /** In which collection; absent: the company's own. */
  collectionId?: string | undefined;
  /** Makes it this version of a document that is there. */
  replaces?: { documentId: string; version: number };
}

export interface LoadedDocument {
  documentId: string;
  version: number;
  /** The text that offsets count in. */
  text: string;
  /** In the order of the document. */
  chunkIds: string[];
}

/** PostgreSQL takes 65,535 parameters a statement. */
const rowsPerInsert = 1000;

export async function insertCompany(db: Database): Promise<string> {
  const id = randomUUID();
  await db.asSystem((tx) => tx.insert(companies).values({ id, name: 'A company', ownerId: randomUUID() }));
  return id;
}

/**
 * Puts documents into a company's tables and its search store, past upload and parsing.
 * @param embeddings gives their passages vectors; absent: they have none
 * @param newId makes the ids of documents and passages, random ones unless told
 */
export async function loadDocuments(
  db: Database,
  search: SearchStore,
  companyId: string,
  sources: Source[],
  embeddings?: Embeddings,
  newId: () => string = randomUUID,
): Promise<LoadedDocument[]> {
  const documentRows: (typeof documents.$inferInsert)[] = [];
  const versionRows: (typeof versions.$inferInsert)[] = [];
  const blockRows: (typeof blocks.$inferInsert)[] = [];
  const chunkRows: (typeof chunks.$inferInsert)[] = [];
  const added: SearchChunk[] = [];
  const loaded: LoadedDocument[] = [];
  for (const { name, blocks: parsed, chunk = chunkBlocks, collectionId, replaces } of sources) {
    const { documentId, version } = replaces ?? { documentId: newId(), version: 1 };
    const placed = placeBlocks(parsed);
    const text = placed.map((block) => block.text).join('\n');
    const uploadId = randomUUID();
    const versionsOf = { currentVersion: version, newestVersion: version };
    documentRows.push({ companyId, id: documentId, name, nameKey: documentId, collectionId, ...versionsOf });
    versionRows.push({
      companyId,
      documentId,
      version,
      state: 'ready',
      mediaType: 'text/plain',
      size: text.length,
      sha256: '0'.repeat(64),
      objectKey: uploadId,
      uploadId,
      uploadedBy: randomUUID(),
      // As reading leaves it: else a job looks through all of them at the start, beside whatever is measured.
      planted: [],
    });
    for (const block of placed) blockRows.push({ companyId, documentId, version, ...block });
    const cut = chunk(placed);
    const languages = [...languagesOf(cut.map((each) => each.text))];
    const made = cut.map((each, i) => ({ id: newId(), ...each, language: languages[i] ?? null }));
    const passages = made.map((each) => ({ ...each, heading: each.headingPath.join(' › '), body: each.text }));
    const about = aboutOf(placed, passages);
    for (const each of made) chunkRows.push({ companyId, documentId, version, ...each });
    for (const { id, heading, body, page, language } of passages)
      added.push({ id, documentId, version, title: name, about, heading, body, page, language, collectionId });
    loaded.push({ documentId, version, text, chunkIds: made.map(({ id }) => id) });
  }
  await db.asSystem(async (tx) => {
    for (const run of runs(documentRows)) {
      await tx
        .insert(documents)
        .values(run)
        .onConflictDoUpdate({
          target: [documents.companyId, documents.id],
          set: { currentVersion: sql`excluded.current_version`, newestVersion: sql`excluded.newest_version` },
        });
    }
    for (const run of runs(versionRows)) await tx.insert(versions).values(run);
    for (const run of runs(blockRows)) await tx.insert(blocks).values(run);
    for (const run of runs(chunkRows)) await tx.insert(chunks).values(run);
  });
  await search.add(companyId, added);
  if (embeddings) {
    const vectors = await embeddings.embed(added.map(embeddedText), 'passage', new AbortController().signal);
    await search.addVectors(
      companyId,
      added.flatMap(({ id, documentId, version }, i) => {
        const vector = vectors[i];
        return vector ? [{ id, documentId, version, vector }] : [];
      }),
    );
  }
  await search.optimize(companyId);
  return loaded;
}

function* runs<T>(items: T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += rowsPerInsert) yield items.slice(i, i + rowsPerInsert);
}
