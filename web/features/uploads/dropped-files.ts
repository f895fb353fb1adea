/** A file with the folders that it came from: `Contracts/2026/readme.md`. */
export type PlacedFile = File & { path?: string };

/** What systems leave in folders, and nobody means. */
const ignored = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/**
 * What was dropped, folders with all that is in them. What a drop carries must be asked for while it is handled, so
 * this begins at once.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  const found = await Promise.all(entries.map((entry, place) => (entry ? filesIn(entry) : (plain[place] ?? []))));
  return worthSending(found.flat());
}

/** Without what systems leave in folders. */
export function worthSending<Kind extends File>(files: readonly Kind[]): Kind[] {
  return files.filter(({ name }) => !ignored.has(name));
}

async function filesIn(entry: FileSystemEntry): Promise<PlacedFile[]> {
  if (isFile(entry)) {
    const file: PlacedFile = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [Object.defineProperty(file, 'path', { value: entry.fullPath })];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: PlacedFile[] = [];
  // A browser tells of a hundred at a time, and of none when that was all.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesIn(each)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
