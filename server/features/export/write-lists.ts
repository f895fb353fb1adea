import type { Database } from '#server/db/db.ts';
import { and, isNull } from '#server/db/drizzle.ts';
import { exportEntries } from '#server/db/schema.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { companyOf, type ExportKey, type ExportRow, folderOf, lockedExport } from './exports.ts';
import {
  auditLines,
  collectionLines,
  documentLines,
  groupLines,
  peopleLines,
  questionLines,
  sessionLines,
} from './lists.ts';
import { isEntryOf } from './plan.ts';
import { keyLines, webhookLines } from './program-lists.ts';
import { companyReadme, personReadme } from './readme.ts';
import type { Line } from './rows.ts';
import { logoOf, profileOf, settingsOf } from './settings-lines.ts';
import { linesOf, storeDeflated } from './write-list.ts';

type Content = AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

interface Deps {
  db: Database;
  store: FileStore;
}

/** Makes everything of an export but its originals, in place of what an earlier try has made. */
export async function writeLists({ db, store }: Deps, row: ExportRow, unreadable: string[]): Promise<void> {
  const { companyId, id: exportId, personId, generation } = row;
  const key = { companyId, exportId };
  const all = personId === null ? await companyLists(db, key, unreadable) : await personLists(db, companyId, personId);
  const entries: (typeof exportEntries.$inferInsert)[] = [];
  for (const [i, [path, content]] of all.entries()) {
    const objectKey = `${folderOf(key)}${generation}-${path}`;
    const measured = await storeDeflated(store, objectKey, content);
    const place = { companyId, exportId, index: i - all.length, path, objectKey };
    entries.push({ ...place, ...measured, isDeflated: true, modifiedAt: new Date() });
  }
  await db.asCompany(companyId, async (tx) => {
    // Another may have taken its place meanwhile.
    if (!(await lockedExport(tx, key))) return;
    await tx.delete(exportEntries).where(and(isEntryOf(key), isNull(exportEntries.documentId)));
    await tx.insert(exportEntries).values(entries);
  });
}

async function companyLists(db: Database, { companyId, exportId }: ExportKey, unreadable: string[]) {
  const { company, settings, logo } = await db.asCompany(companyId, async (tx) => ({
    company: await companyOf(tx, companyId),
    settings: await settingsOf(tx, companyId),
    logo: await logoOf(tx, companyId),
  }));
  const { name, showNames } = company;
  const all: [path: string, content: Content][] = [
    ['README.txt', [companyReadme({ company: name, at: new Date(), unreadable }, showNames)]],
    ['documents.ndjson', linesOf(documentLines(db, companyId, exportId))],
    ['questions.ndjson', linesOf(questionLines(db, companyId, { showNames }))],
    ['people.ndjson', linesOf(peopleLines(db, companyId))],
    ['collections.ndjson', linesOf(collectionLines(db, companyId))],
    ['groups.ndjson', linesOf(groupLines(db, companyId))],
    ['api-keys.ndjson', linesOf(keyLines(db, companyId))],
    ['webhooks.ndjson', linesOf(webhookLines(db, companyId))],
    ['audit.ndjson', linesOf(auditLines(db, companyId))],
    ['settings.json', [object(settings)]],
  ];
  if (logo) all.push(['logo.png', [logo]]);
  return all;
}

async function personLists(db: Database, companyId: string, personId: string) {
  const { company, profile } = await db.asCompany(companyId, async (tx) => ({
    company: await companyOf(tx, companyId),
    profile: await profileOf(tx, companyId, personId),
  }));
  const all: [path: string, content: Content][] = [
    ['README.txt', [personReadme({ company: company.name, at: new Date() })]],
    ['profile.json', [object(profile)]],
    ['questions.ndjson', linesOf(questionLines(db, companyId, { personId }))],
    ['sessions.ndjson', linesOf(sessionLines(db, companyId, personId))],
    ['api-keys.ndjson', linesOf(keyLines(db, companyId, personId))],
    ['activity.ndjson', linesOf(auditLines(db, companyId, personId))],
  ];
  return all;
}

function object(line: Line): string {
  return `${JSON.stringify(line, null, 2)}\n`;
}
